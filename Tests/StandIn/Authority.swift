import CSSL
import Foundation

/// A certificate authority of the test's own, made at run time. Its key never touches a disk; `caFile` is public.
/// The references are written once in `init` and only read afterwards, and OpenSSL counts its own uses of them under
/// its own locks, hence the promise to the compiler.
package final class Authority: @unchecked Sendable {
  /// One for the whole process, so that several stand-ins are trusted through one file.
  package static let shared = Authority()

  package let folder: String
  package let caFile: String
  private let key: OpaquePointer
  private let certificate: OpaquePointer

  package init() {
    var template = Array(
      FileManager.default.temporaryDirectory.appendingPathComponent("standin-XXXXXX").path.utf8CString)
    guard mkdtemp(&template) != nil else { fatalError("no temporary folder for the stand-in: errno \(errno)") }
    folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    caFile = folder + "/ca.pem"
    key = standin_new_key()
    certificate = Authority.certificate(name: "Stand-in authority", key: key, days: -1...3)
    X509_set_issuer_name(certificate, X509_get_subject_name(certificate))
    _ = standin_extend(certificate, certificate, NID_basic_constraints, "critical,CA:TRUE")
    _ = standin_extend(certificate, certificate, NID_key_usage, "critical,keyCertSign,cRLSign")
    _ = standin_extend(certificate, certificate, NID_subject_key_identifier, "hash")
    precondition(X509_sign(certificate, key, EVP_sha256()) > 0, "the authority's certificate could not be signed")
    guard let file = fopen(caFile, "w") else { fatalError("cannot write \(caFile): errno \(errno)") }
    PEM_write_X509(file, certificate)
    fclose(file)
    let path = folder
    Cleanup.atExit { try? FileManager.default.removeItem(atPath: path) }
  }

  /// Gives a TLS context a fresh key and a certificate for these names and addresses, valid on these days around today.
  func furnish(_ context: OpaquePointer, names: [String], days: ClosedRange<Int>) {
    let serverKey: OpaquePointer = standin_new_key()
    let server = Authority.certificate(name: "Stand-in service", key: serverKey, days: days)
    X509_set_issuer_name(server, X509_get_subject_name(certificate))
    let isAddress = { (name: String) in name.contains(":") || name.allSatisfy { $0.isNumber || $0 == "." } }
    let names = names.map { (isAddress($0) ? "IP:" : "DNS:") + $0 }.joined(separator: ",")
    _ = standin_extend(server, certificate, NID_subject_alt_name, names)
    _ = standin_extend(server, certificate, NID_ext_key_usage, "serverAuth")
    precondition(X509_sign(server, key, EVP_sha256()) > 0, "the service's certificate could not be signed")
    precondition(SSL_CTX_use_certificate(context, server) == 1 && SSL_CTX_use_PrivateKey(context, serverKey) == 1)
    X509_free(server)
    EVP_PKEY_free(serverKey)
  }

  private static func certificate(name: String, key: OpaquePointer, days: ClosedRange<Int>) -> OpaquePointer {
    let certificate: OpaquePointer = X509_new()
    X509_set_version(certificate, 2)
    ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), UInt64.random(in: 1...UInt64(Int64.max)))
    X509_gmtime_adj(X509_getm_notBefore(certificate), days.lowerBound * 86_400)
    X509_gmtime_adj(X509_getm_notAfter(certificate), days.upperBound * 86_400)
    X509_set_pubkey(certificate, key)
    let subject = X509_get_subject_name(certificate)
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, name, -1, -1, 0)
    return certificate
  }
}

/// Folders that must go when the process ends.
private enum Cleanup {
  private static let lock = NSLock()
  nonisolated(unsafe) private static var tasks: [@Sendable () -> Void] = []

  static func atExit(_ task: @escaping @Sendable () -> Void) {
    lock.withLock {
      if tasks.isEmpty { atexit { Cleanup.run() } }
      tasks.append(task)
    }
  }

  private static func run() { for task in lock.withLock({ tasks }) { task() } }
}
