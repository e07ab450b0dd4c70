#include "core/client/tls_channel.hpp"

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace watchlab::client {

namespace {

template <auto Free>
struct Freed {
  template <typename Thing>
  void operator()(Thing* thing) const {
    Free(thing);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using Memory = std::unique_ptr<BIO, Freed<BIO_free>>;
using Library = std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>>;

/// What OpenSSL says about its last failure.
std::string reason() {
  const char* const text = ::ERR_reason_error_string(::ERR_peek_last_error());
  ::ERR_clear_error();
  return text == nullptr ? "unexpected end" : text;
}

void want(bool good, const char* what) {
  if (!good) {
    throw std::runtime_error(fmt::format("TLS: {}: {}", what, reason()));
  }
}

void add_extension(X509& certificate, X509& issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, &issuer, &certificate, nullptr, nullptr, 0);
  X509_EXTENSION* const extension = ::X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  want(extension != nullptr, "an extension of a certificate");
  ::X509_add_ext(&certificate, extension, -1);
  ::X509_EXTENSION_free(extension);
}

/// A certificate without its extensions and its signature. Valid from an hour ago, for clients
/// whose clock is a little behind, and for a year.
Certificate new_certificate(EVP_PKEY& key, const char* name) {
  constexpr long kHour = 3600;
  constexpr long kYear = 365 * 24 * kHour;
  constexpr int kVersionThree = 2;
  constexpr int kSerialSize = 8;
  Certificate made(::X509_new());
  ::X509_set_version(made.get(), kVersionThree);
  std::array<unsigned char, kSerialSize> serial{};
  want(::RAND_bytes(serial.data(), kSerialSize) == 1, "no randomness");
  serial[0] = 1;  // a positive number
  BIGNUM* const number = ::BN_bin2bn(serial.data(), kSerialSize, nullptr);
  ::BN_to_ASN1_INTEGER(number, ::X509_get_serialNumber(made.get()));
  ::BN_free(number);
  ::X509_gmtime_adj(::X509_getm_notBefore(made.get()), -kHour);
  ::X509_gmtime_adj(::X509_getm_notAfter(made.get()), kYear);
  ::X509_NAME_add_entry_by_txt(::X509_get_subject_name(made.get()), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(name), -1, -1, 0);
  ::X509_set_pubkey(made.get(), &key);
  return made;
}

void sign(X509& certificate, X509& issuer, EVP_PKEY& key) {
  ::X509_set_issuer_name(&certificate, ::X509_get_subject_name(&issuer));
  add_extension(certificate, issuer, NID_subject_key_identifier, "hash");
  add_extension(certificate, issuer, NID_authority_key_identifier, "keyid:always");
  want(::X509_sign(&certificate, &key, ::EVP_sha256()) > 0, "signing a certificate");
}

bool is_address(const std::string& host) {
  ASN1_OCTET_STRING* const address = ::a2i_IPADDRESS(host.c_str());
  ::ASN1_OCTET_STRING_free(address);
  return address != nullptr;
}

std::string names_of(const std::vector<std::string>& hosts) {
  std::string names;
  for (const std::string& host : hosts) {
    names += (names.empty() ? "" : ",") + std::string(is_address(host) ? "IP:" : "DNS:") + host;
  }
  return names;
}

/// The certificates of a PEM text, in its order.
std::vector<Certificate> certificates_in(const std::string& text, const char* what) {
  const Memory memory(::BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  std::vector<Certificate> found;
  while (Certificate next{::PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr)}) {
    found.push_back(std::move(next));
  }
  want(!found.empty(), what);
  ::ERR_clear_error();  // that there is no further one is what the last call says
  return found;
}

void trust(SSL_CTX& library, const std::string& authority) {
  const char* const what = "the authority to trust is no certificate";
  for (const Certificate& trusted : certificates_in(authority, what)) {
    ::X509_STORE_add_cert(::SSL_CTX_get_cert_store(&library), trusted.get());
  }
}

/// Lets the client say who it is.
void show(SSL_CTX& library, const TlsClientOptions& options) {
  std::vector<Certificate> chain =
      certificates_in(options.certificate, "the client's certificate is none");
  const Memory text(::BIO_new_mem_buf(options.key.data(), static_cast<int>(options.key.size())));
  const Key key(::PEM_read_bio_PrivateKey(text.get(), nullptr, nullptr, nullptr));
  want(key != nullptr, "the client's key is none");
  want(::SSL_CTX_use_certificate(&library, chain.front().get()) == 1, "the client's certificate");
  want(::SSL_CTX_use_PrivateKey(&library, key.get()) == 1,
       "the client's key is not that of its certificate");
  for (std::size_t i = 1; i < chain.size(); ++i) {
    SSL_CTX_add1_chain_cert(&library, chain[i].get());
  }
}

/// Why a certificate is not trusted, for a person who can do something about it; "" when it is.
std::string distrust(const SSL& ssl) {
  const long verdict = ::SSL_get_verify_result(&ssl);
  std::string_view plain = "it is not trusted";
  switch (verdict) {
    case X509_V_OK:
      return "";
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      plain = "it is for other names than the one that was connected to";
      break;
    case X509_V_ERR_CERT_HAS_EXPIRED:
      plain = "it has expired";
      break;
    case X509_V_ERR_CERT_NOT_YET_VALID:
      plain = "it is not valid yet; is this machine's clock right?";
      break;
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_CERT_SIGNATURE_FAILURE:
      plain = "it is signed by an authority that is not among those trusted here";
      break;
    default:
      break;
  }
  return fmt::format(": the server's certificate is refused: {} ({})", plain,
                     ::X509_verify_cert_error_string(verdict));
}

std::string pem_of(X509& certificate) {
  const Memory memory(::BIO_new(::BIO_s_mem()));
  ::PEM_write_bio_X509(memory.get(), &certificate);
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

}  // namespace

struct TlsIdentity::Context {
  Library library{::SSL_CTX_new(::TLS_server_method())};
};

TlsIdentity::TlsIdentity(const std::vector<std::string>& hosts)
    : context_(std::make_unique<Context>()) {
  const Key authority_key(EVP_EC_gen("P-256"));
  const Key key(EVP_EC_gen("P-256"));
  want(authority_key != nullptr && key != nullptr, "no key");
  const Certificate authority = new_certificate(*authority_key, "watchlab serve");
  add_extension(*authority, *authority, NID_basic_constraints, "critical,CA:TRUE");
  add_extension(*authority, *authority, NID_key_usage, "critical,keyCertSign,cRLSign");
  sign(*authority, *authority, *authority_key);
  const Certificate own = new_certificate(*key, "watchlab");
  add_extension(*own, *authority, NID_basic_constraints, "critical,CA:FALSE");
  add_extension(*own, *authority, NID_key_usage, "critical,digitalSignature");
  add_extension(*own, *authority, NID_ext_key_usage, "serverAuth");
  add_extension(*own, *authority, NID_subject_alt_name, names_of(hosts));
  sign(*own, *authority, *authority_key);
  authority_ = pem_of(*authority);
  SSL_CTX* const library = context_->library.get();
  SSL_CTX_set_min_proto_version(library, TLS1_2_VERSION);
  SSL_CTX_set_mode(library, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(library, SSL_SESS_CACHE_OFF);
  want(::SSL_CTX_use_certificate(library, own.get()) == 1 &&
           ::SSL_CTX_use_PrivateKey(library, key.get()) == 1,
       "the certificate");
}

TlsIdentity::~TlsIdentity() = default;

struct TlsChannel::Parts {
  explicit Parts(SSL_CTX* library) : ssl(::SSL_new(library)) {
    input = ::BIO_new(::BIO_s_mem());
    output = ::BIO_new(::BIO_s_mem());
    ::SSL_set_bio(ssl.get(), input, output);  // which owns both from now on
  }

  /// False when it has failed for good.
  bool agree() {
    const int done = ::SSL_do_handshake(ssl.get());
    return done == 1 || ::SSL_get_error(ssl.get(), done) == SSL_ERROR_WANT_READ;
  }

  Library client;        ///< of a client's end; outlives `ssl`
  std::string greeting;  ///< what has come, until the first record is whole
  bool greeted = false;
  std::unique_ptr<SSL, Freed<SSL_free>> ssl;
  BIO* input = nullptr;
  BIO* output = nullptr;
  std::optional<api::Error> failure;
};

namespace {

/// Whether the first record of the other end is still coming. The library has buffers of 40 kB for
/// half of one, so that it gets whole ones: there may be many who never send the other half.
bool is_half_a_record(std::string_view bytes) {
  constexpr std::size_t kHead = 5;
  constexpr std::size_t kLongest = (std::size_t{16} << 10) + 2048;
  if (!bytes.starts_with('\x16')) {
    return bytes.empty();
  }
  const auto byte = [&](std::size_t i) {
    return std::size_t{static_cast<unsigned char>(bytes[i])};
  };
  const std::size_t size = bytes.size() < kHead ? 0 : (byte(3) << 8U) + byte(4);
  return bytes.size() < kHead || (size <= kLongest && bytes.size() < kHead + size);
}

}  // namespace

TlsChannel::TlsChannel(const TlsIdentity& identity)
    : parts_(std::make_unique<Parts>(identity.context_->library.get())) {
  ::SSL_set_accept_state(parts_->ssl.get());
}

TlsChannel::TlsChannel(const TlsClientOptions& options) {
  Library library(::SSL_CTX_new(::TLS_client_method()));
  SSL_CTX_set_min_proto_version(library.get(), TLS1_2_VERSION);
  ::SSL_CTX_set_verify(library.get(), options.insecure ? SSL_VERIFY_NONE : SSL_VERIFY_PEER,
                       nullptr);
  if (options.authority.empty()) {
    ::SSL_CTX_set_default_verify_paths(library.get());
  } else {
    trust(*library, options.authority);
  }
  if (!options.certificate.empty()) {
    show(*library, options);
  }
  parts_ = std::make_unique<Parts>(library.get());
  parts_->client = std::move(library);
  SSL* const ssl = parts_->ssl.get();
  ::SSL_set_connect_state(ssl);
  if (is_address(options.host)) {
    ::X509_VERIFY_PARAM_set1_ip_asc(::SSL_get0_param(ssl), options.host.c_str());
  } else {
    ::SSL_set1_host(ssl, options.host.c_str());
    SSL_set_tlsext_host_name(ssl, options.host.c_str());
  }
  (void)parts_->agree();
}

TlsChannel::~TlsChannel() = default;

api::Result<std::string> TlsChannel::open(std::string_view sealed) {
  if (parts_->failure) {
    return *parts_->failure;
  }
  if (!parts_->greeted) {
    parts_->greeting += sealed;
    if (is_half_a_record(parts_->greeting)) {
      return std::string();
    }
    parts_->greeted = true;
    sealed = parts_->greeting;
  }
  ::ERR_clear_error();
  ::BIO_write(parts_->input, sealed.data(), static_cast<int>(sealed.size()));
  parts_->greeting = {};
  SSL* const ssl = parts_->ssl.get();
  std::string plain;
  int ended_by = SSL_ERROR_NONE;
  if (ready() || parts_->agree()) {
    constexpr std::size_t kRecordMax = std::size_t{16} << 10;
    std::array<char, kRecordMax> piece;
    int size = ready() ? 1 : 0;
    while (size > 0) {
      size = ::SSL_read(ssl, piece.data(), piece.size());
      plain.append(piece.data(), static_cast<std::size_t>(std::max(size, 0)));
      ended_by = size > 0 ? SSL_ERROR_NONE : ::SSL_get_error(ssl, size);
    }
  } else {
    ended_by = SSL_ERROR_SSL;
  }
  if (ended_by == SSL_ERROR_SSL || ended_by == SSL_ERROR_SYSCALL) {
    parts_->failure = {api::ErrorKind::Decode, "TLS: " + reason() + distrust(*ssl), {}};
    return *parts_->failure;
  }
  return plain;
}

bool TlsChannel::seal(std::string_view plain) {
  if (parts_->failure || !ready()) {
    return false;
  }
  return plain.empty() ||
         ::SSL_write(parts_->ssl.get(), plain.data(), static_cast<int>(plain.size())) > 0;
}

void TlsChannel::finish() {
  if (!parts_->failure && ready()) {
    ::SSL_shutdown(parts_->ssl.get());
  }
}

std::string TlsChannel::take_sealed() {
  std::string bytes(BIO_ctrl_pending(parts_->output), '\0');
  if (!bytes.empty()) {
    ::BIO_read(parts_->output, bytes.data(), static_cast<int>(bytes.size()));
  }
  return bytes;
}

bool TlsChannel::ready() const { return SSL_is_init_finished(parts_->ssl.get()) == 1; }

bool TlsChannel::ended() const {
  return (::SSL_get_shutdown(parts_->ssl.get()) & SSL_RECEIVED_SHUTDOWN) != 0;
}

std::string to_base64(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
  const int size = ::EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                     reinterpret_cast<const unsigned char*>(bytes.data()),
                                     static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(size));
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string bytes(text.size() / 4 * 3 + 3, '\0');
  const int size = ::EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                     reinterpret_cast<const unsigned char*>(text.data()),
                                     static_cast<int>(text.size()));
  if (size < 0) {
    return std::nullopt;
  }
  const auto padding = text.size() - std::min(text.size(), text.find_last_not_of('=') + 1);
  bytes.resize(static_cast<std::size_t>(size) - std::min<std::size_t>(padding, 2));
  return bytes;
}

}  // namespace watchlab::client
