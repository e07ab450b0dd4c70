"""Which files of the archive the packages of other registries take: programs, their libraries, and what is shipped."""


def native_files(folder):
    """Pairs of the path below folder and the file, which is no link: these packages hold none. bin has the programs."""
    shared = folder / "share/watchlab"
    paths = [folder / "bin/watchlab", folder / "bin/watchlab-serve", *(folder / "lib").rglob("*"), *shared.rglob("*")]
    files = [(path.relative_to(folder), path.resolve()) for path in sorted(paths) if path.is_file() and shared / "docs" not in path.parents]
    return [(inside, path) for inside, path in files if inside.parts[0] != "lib" or is_loaded(inside, files)]


def is_loaded(inside, files):
    """Whether programs load this file below lib: what is in lib/watchlab, and of our libraries the name with the minor version."""
    if inside.parts[1] == "watchlab":
        return True
    shorter = [other for other, _ in files if other != inside and other.parent == inside.parent
               and ".so." in other.name and inside.name.startswith(other.name + ".")]
    return ".so." in inside.name and not shorter
