#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <array>
#include <optional>
#include <utility>

#include "core/client/client_config.hpp"
#include "core/client/tls_channel.hpp"

namespace watchlab::client {

namespace {

/// What is wrong with a file, as an exception inside of this source.
struct WrongFile {
  std::string message;
};

/// Something of a file, and which file it is of.
struct Entry {
  YAML::Node node;
  std::string file;
};

std::string place_of(const Entry& entry) {
  const YAML::Mark mark = entry.node.IsDefined() ? entry.node.Mark() : YAML::Mark::null_mark();
  return mark.is_null() ? entry.file
                        : fmt::format("{}:{}:{}", entry.file, mark.line + 1, mark.column + 1);
}

[[noreturn]] void refuse_at(const Entry& entry, std::string_view what) {
  throw WrongFile{fmt::format("{}: {}", place_of(entry), what)};
}

/// The text of a member; "" when there is none.
std::string text_in(const Entry& entry, const char* member) {
  if (!entry.node.IsMap() || !entry.node[member] || entry.node[member].IsNull()) {
    return "";
  }
  const YAML::Node value = entry.node[member];
  if (!value.IsScalar()) {
    refuse_at({value, entry.file}, fmt::format("{} has to be a text", member));
  }
  return value.Scalar();
}

bool flag_in(const Entry& entry, const char* member) {
  const std::string text = text_in(entry, member);
  if (!text.empty() && text != "true" && text != "false") {
    refuse_at(entry, fmt::format("{} has to be true or false", member));
  }
  return text == "true";
}

/// A file that is named relative to the file that names it.
std::string file_in(const Entry& entry, const char* member) {
  const std::string name = text_in(entry, member);
  const std::size_t slash = entry.file.rfind('/');
  return name.empty() || name.starts_with('/') || slash == std::string::npos
             ? name
             : entry.file.substr(0, slash + 1) + name;
}

/// What stands in the file as base64, or in a file that it names.
std::string content_of(const Entry& entry, const std::string& member) {
  const std::string inside = text_in(entry, (member + "-data").c_str());
  if (!inside.empty()) {
    const std::optional<std::string> bytes = from_base64(inside);
    if (!bytes) {
      refuse_at({entry.node[member + "-data"], entry.file}, member + "-data is no base64");
    }
    return *bytes;
  }
  const std::string file = file_in(entry, member.c_str());
  if (file.empty()) {
    return "";
  }
  api::Result<std::string> content = read_file(file);
  if (!content) {
    refuse_at({entry.node[member], entry.file}, content.error().message);
  }
  return *std::move(content);
}

/// The files together: of what several have, the first counts.
class Files {
 public:
  explicit Files(const std::vector<std::string>& names) {
    std::optional<std::string> missing;
    for (const std::string& name : names) {
      const api::Result<std::string> text = read_file(name);
      if (text) {
        read(name, *text);
      } else {
        missing = text.error().message;
      }
    }
    if (files_.empty()) {
      throw WrongFile{missing.value_or("no kubeconfig file is named")};
    }
  }

  [[nodiscard]] std::string current_context() const {
    for (const Entry& file : files_) {
      if (const std::string name = text_in(file, "current-context"); !name.empty()) {
        return name;
      }
    }
    throw WrongFile{fmt::format("{}: no current-context is set; name a context", files_[0].file)};
  }

  /// What `list` has under that name: `{name: NAME, KIND: {…}}`.
  [[nodiscard]] Entry named(const std::string& list, const std::string& name) const {
    const std::string kind = list.substr(0, list.size() - 1);
    std::string others;
    for (const Entry& file : files_) {
      const YAML::Node items = file.node[list];
      for (std::size_t i = 0; items && items.IsSequence() && i < items.size(); ++i) {
        const std::string here = text_in({items[i], file.file}, "name");
        if (here == name) {
          const YAML::Node found = items[i][kind];
          return {found && found.IsMap() ? found : YAML::Node(YAML::NodeType::Map), file.file};
        }
        others += (others.empty() ? "" : ", ") + here;
      }
    }
    throw WrongFile{fmt::format("{}: there is no {} '{}'; there are: {}", files_[0].file, kind,
                                name, others.empty() ? "none" : others)};
  }

 private:
  void read(const std::string& name, const std::string& text) {
    try {
      Entry file{YAML::Load(text), name};
      if (!file.node.IsMap() && !file.node.IsNull()) {
        refuse_at(file, "this is no kubeconfig");
      }
      files_.push_back(std::move(file));
    } catch (const YAML::ParserException& wrong) {
      throw WrongFile{
          fmt::format("{}:{}:{}: {}", name, wrong.mark.line + 1, wrong.mark.column + 1, wrong.msg)};
    }
  }

  std::vector<Entry> files_;
};

void refuse_plugins(const Entry& user, const std::string& name) {
  for (const char* const member : {"exec", "auth-provider"}) {
    if (user.node[member]) {
      const Entry plugin{user.node[member], user.file};
      const std::string command =
          plugin.node.IsMap() ? text_in(plugin, member[0] == 'e' ? "command" : "name") : "";
      refuse_at(plugin,
                fmt::format("the credentials of user '{}' come from a plugin ({} {}), and "
                            "plugins are not run; put a token or a certificate in its place",
                            name, member, command));
    }
  }
}

void read_cluster(ClientConfig& config, const Entry& cluster) {
  config.server = text_in(cluster, "server");
  if (config.server.empty()) {
    refuse_at(cluster, "the cluster has no server");
  }
  config.authority = content_of(cluster, "certificate-authority");
  config.server_name = text_in(cluster, "tls-server-name");
  config.insecure = flag_in(cluster, "insecure-skip-tls-verify");
  config.proxy = text_in(cluster, "proxy-url");
  if (config.insecure && !config.authority.empty()) {
    refuse_at(cluster, "insecure-skip-tls-verify goes with no certificate-authority");
  }
}

void read_user(ClientConfig& config, const Entry& user) {
  config.certificate = content_of(user, "client-certificate");
  config.key = content_of(user, "client-key");
  config.token = text_in(user, "token");
  config.token_file = file_in(user, "tokenFile");
  config.username = text_in(user, "username");
  config.password = text_in(user, "password");
  if (config.certificate.empty() != config.key.empty()) {
    refuse_at(user, "client-certificate and client-key go together, and one of them is missing");
  }
  for (const char* const member : {"as", "as-groups", "as-uid", "as-user-extra"}) {
    if (user.node[member]) {
      refuse_at({user.node[member], user.file}, "to act as another user is not supported");
    }
  }
}

}  // namespace

api::Result<ClientConfig> config_from_kubeconfig(const std::vector<std::string>& files,
                                                 const std::string& context) {
  try {
    const Files read(files);
    const Entry chosen = read.named("contexts", context.empty() ? read.current_context() : context);
    ClientConfig config;
    config.namespace_ = text_in(chosen, "namespace");
    read_cluster(config, read.named("clusters", text_in(chosen, "cluster")));
    if (const std::string name = text_in(chosen, "user"); !name.empty()) {
      const Entry user = read.named("users", name);
      refuse_plugins(user, name);
      read_user(config, user);
    }
    return config;
  } catch (const WrongFile& wrong) {
    return api::Error{api::ErrorKind::Other, wrong.message, {}};
  } catch (const YAML::Exception& wrong) {
    return api::Error{
        api::ErrorKind::Other, fmt::format("{}: {}", files.front(), wrong.what()), {}};
  }
}

}  // namespace watchlab::client
