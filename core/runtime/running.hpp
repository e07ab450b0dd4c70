#pragma once

namespace watchlab::runtime {

class Runtime;

/// Says, while it lives, that the calling OS thread runs tasks of this runtime; what was said
/// before holds again afterwards. Each runtime says so itself, on every thread that it uses. For
/// what has nobody to ask, the nil channel that was made without a runtime, and for nothing else:
/// all other code is handed its runtime.
class Running {
 public:
  explicit Running(Runtime& runtime);
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running();

  /// The runtime whose task calls. Fails where no task of any runtime runs.
  [[nodiscard]] static Runtime& here();

 private:
  Runtime* const before_;
};

}  // namespace watchlab::runtime
