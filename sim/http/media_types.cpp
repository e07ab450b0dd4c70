#include "sim/http/media_types.hpp"

#include <zlib.h>

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <utility>

#include "core/runtime/ensure.hpp"

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
      type.parameters.emplace_back(boost::algorithm::to_lower_copy(parts[i].substr(0, equals)),
                                   parts[i].substr(std::min(equals + 1, parts[i].size())));
    }
    types.push_back(std::move(type));
  }
  return types;
}

std::optional<BodyForm> form_in(std::string_view accept) {
  const std::vector<MediaType> types = media_types_in(accept);
  for (const MediaType& type : types) {
    const std::optional<BodyForm> form = type.takes_json() ? form_of(type) : std::nullopt;
    if (form) {
      return form;
    }
  }
  return types.empty() ? std::optional(BodyForm::Plain) : std::nullopt;
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
    return type.name == "gzip" && type.parameter("q") != "0";
  });
}

std::string gzipped(std::string_view bytes) {
  constexpr int kGzip = 16;  // added to the size of the window: with a head of gzip
  constexpr int kMemory = 8;
  z_stream stream{};
  runtime::ensure(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + kGzip, kMemory,
                               Z_DEFAULT_STRATEGY) == Z_OK,
                  "there is memory to pack a body");
  std::string packed(::deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int done = ::deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  ::deflateEnd(&stream);
  runtime::ensure(done == Z_STREAM_END, "a body is packed in one go");
  return packed;
}

}  // namespace watchlab::sim
