#pragma once
#include <openssl/ssl.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

// Variadic, so Swift cannot import it.
static inline EVP_PKEY *standin_new_key(void) { return EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256"); }

// The structure that carries issuer and subject into an extension may live on the stack, which is easier said in C.
static inline int standin_extend(X509 *certificate, X509 *issuer, int nid, const char *value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
  if (!extension) return 0;
  int done = X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
  return done;
}
