#include "sim/http/media_types.hpp"

#include <zlib.h>

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <new>
#include <utility>

#include "core/runtime/ensure.hpp"
#include "sim/http/kind_protobuf.hpp"

namespace watchlab::sim {

namespace {

constexpr std::string_view kMetaGroup = "meta.k8s.io";
constexpr std::string_view kDiscoveryGroup = "apidiscovery.k8s.io";

/// The pieces between separators, without spaces around them.
std::vector<std::string> trimmed_pieces(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    pieces.push_back(boost::algorithm::trim_copy(std::string(text.substr(0, end))));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return pieces;
}

std::string unquoted(std::string_view value) {
  const bool is_quoted = value.size() > 1 && value.starts_with('"') && value.ends_with('"');
  return boost::algorithm::trim_copy(
      std::string(is_quoted ? value.substr(1, value.size() - 2) : value));
}

std::optional<BodyForm> form_of(const MediaType& type) {
  const std::string_view as = type.parameter("as");
  if (as.empty()) {
    return BodyForm::Plain;
  }
  const std::string_view version = type.parameter("v");
  if (type.parameter("g") != kMetaGroup || (version != "v1" && version != "v1beta1")) {
    return std::nullopt;
  }
  if (as == "Table") {
    return BodyForm::Table;
  }
  const bool metadata = as == "PartialObjectMetadata" || as == "PartialObjectMetadataList";
  return metadata ? std::optional(BodyForm::Metadata) : std::nullopt;
}

}  // namespace

std::string_view MediaType::parameter(std::string_view key) const {
  const auto found =
      std::ranges::find(parameters, key, &std::pair<std::string, std::string>::first);
  return found == parameters.end() ? std::string_view() : std::string_view(found->second);
}

bool MediaType::takes_json() const {
  return name == "application/json" || name == "application/*" || name == "*/*" || name == "*";
}

std::vector<MediaType> media_types_in(std::string_view field) {
  std::vector<MediaType> types;
  for (const std::string& piece : trimmed_pieces(field, ',')) {
    const std::vector<std::string> parts = trimmed_pieces(piece, ';');
    if (parts.empty() || parts.front().empty()) {
      continue;
    }
    MediaType type{.name = boost::algorithm::to_lower_copy(parts.front())};
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const std::size_t equals = std::min(parts[i].find('='), parts[i].size());
      type.parameters.emplace_back(
          boost::algorithm::trim_copy(boost::algorithm::to_lower_copy(parts[i].substr(0, equals))),
          unquoted(parts[i].substr(std::min(equals + 1, parts[i].size()))));
    }
    types.push_back(std::move(type));
  }
  return types;
}

std::optional<AcceptedForm> accepted_in(std::string_view accept, bool has_protobuf) {
  const std::vector<MediaType> types = media_types_in(accept);
  for (const MediaType& type : types) {
    const bool protobuf = type.name == kProtobufType;
    const std::optional<BodyForm> form =
        protobuf || type.takes_json() ? form_of(type) : std::nullopt;
    const bool there_is =
        !protobuf || form == BodyForm::Metadata || (form == BodyForm::Plain && has_protobuf);
    if (form && there_is) {
      return AcceptedForm{*form, protobuf};
    }
  }
  return types.empty() ? std::optional(AcceptedForm()) : std::nullopt;
}

std::string aggregated_discovery_in(std::string_view accept) {
  for (const MediaType& type : media_types_in(accept)) {
    if (!type.takes_json()) {
      continue;
    }
    const std::string_view version = type.parameter("v");
    const bool aggregated = type.parameter("as") == "APIGroupDiscoveryList" &&
                            type.parameter("g") == kDiscoveryGroup &&
                            (version == "v2" || version == "v2beta1");
    if (aggregated || type.parameter("as").empty()) {
      return aggregated ? std::string(version) : "";
    }
  }
  return "";
}

bool takes_gzip(std::string_view accept_encoding) {
  return std::ranges::any_of(media_types_in(accept_encoding), [](const MediaType& type) {
    const std::string_view quality = type.parameter("q");
    return type.name == "gzip" &&
           (quality.empty() || quality.find_first_not_of("0.") != std::string_view::npos);
  });
}

struct Gzip::Stream {
  z_stream of{};
};

Gzip::Gzip() : stream_(std::make_unique<Stream>()) {
  constexpr int kGzip = 16;  // added to the size of the window: with a head of gzip
  constexpr int kMemory = 8;
  if (::deflateInit2(&stream_->of, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + kGzip, kMemory,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
}

Gzip::~Gzip() { ::deflateEnd(&stream_->of); }

std::string Gzip::add(std::string_view bytes, bool last) {
  z_stream& stream = stream_->of;
  constexpr std::size_t kOpen = 64;  // of what came before
  std::string packed(::deflateBound(&stream, bytes.size()) + kOpen, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::size_t size = 0;
  int done = Z_OK;
  do {
    packed.resize(std::max(packed.size(), size + kOpen));
    stream.next_out = reinterpret_cast<Bytef*>(packed.data() + size);
    stream.avail_out = static_cast<uInt>(packed.size() - size);
    done = ::deflate(&stream, last ? Z_FINISH : Z_NO_FLUSH);
    size = packed.size() - stream.avail_out;
  } while (done == Z_OK && (last || stream.avail_in > 0));
  runtime::ensure(done == (last ? Z_STREAM_END : Z_OK) || (bytes.empty() && !last),
                  "bytes can be packed");
  packed.resize(size);
  return packed;
}

std::string gzipped(std::string_view bytes) { return Gzip().add(bytes, true); }

}  // namespace watchlab::sim
