import CFuzzer
import Glibc
import Input

var argumentCount = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(
  LLVMFuzzerRunDriver(&argumentCount, &arguments) { data, size in
    // SwiftPM gives the program its main; the protocol comes by the environment, since libFuzzer reads the arguments.
    guard let name = getenv("SCOREBOARD_FUZZ"), let console = ConsoleProtocol(rawValue: String(cString: name)) else {
      fatalError("SCOREBOARD_FUZZ names no protocol.")
    }
    fuzz(console, UnsafeBufferPointer(start: data, count: size))
    return 0
  })
