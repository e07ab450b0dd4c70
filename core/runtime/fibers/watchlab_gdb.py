"""Lists the fibers of watchlab's FiberRuntime in gdb, with their stacks.

    (gdb) source watchlab_gdb.py
    (gdb) fibers              # one line each: number, state, name, and where it waits
    (gdb) fibers bt           # and the stack of each that waits
    (gdb) fibers bt 17        # of one

Needs a live process on x86-64 (it borrows the registers of the selected thread for a moment), and no
debug information of watchlab. A running fiber is on one of the threads: `thread apply all bt`.
"""
import gdb

STATES = ("free", "ready", "running", "waiting")
# As core/runtime/fibers/switch.cpp pushes them; the return address lies above.
SAVED = ("r15", "r14", "r13", "r12", "rbx", "rbp")


def word(address):
    return int.from_bytes(bytes(gdb.selected_inferior().read_memory(address, 8)), "little")


def text(address, size=None):
    memory = gdb.selected_inferior()
    if size is not None:
        return bytes(memory.read_memory(address, size)).decode(errors="replace")
    read = b""
    while not read.endswith(b"\0") and len(read) < 512:
        read += bytes(memory.read_memory(address + len(read), 1))
    return read[:-1].decode(errors="replace")


class Layout:
    def __init__(self):
        try:
            start = int(gdb.parse_and_eval("(unsigned long)&watchlab_fibers"))
        except gdb.error as error:
            raise gdb.GdbError("no fibers: this process has no watchlab-client") from error
        (self.first, self.state, self.name, self.waits_at, self.context,
         self.own_switch) = (word(start + 8 * i) for i in range(6))


class Task:
    def __init__(self, layout, number, address):
        self.number = number
        state = bytes(gdb.selected_inferior().read_memory(address + layout.state, 1))[0]
        self.state = STATES[state] if state < len(STATES) else "?"
        self.name = text(word(address + layout.name), min(word(address + layout.name + 8), 200))
        self.stack = word(address + layout.context)
        self.place = ""
        location = word(address + layout.waits_at)
        if self.state == "waiting" and location:
            line = word(location + 16) & 0xFFFFFFFF
            self.place = f"{text(word(location))}:{line}"

    def line(self):
        return f"{self.number:>6}  {self.state:<8}  {self.name:<24}  {self.place}".rstrip()

    def registers(self):
        values = {name: word(self.stack + 8 * i) for i, name in enumerate(SAVED)}
        values["rip"] = word(self.stack + 8 * len(SAVED))
        values["rsp"] = self.stack + 8 * (len(SAVED) + 1)
        return values


def tasks(layout):
    """All that are not free, of all runtimes; numbered as they were made."""
    number = 0
    entry = layout.first
    while entry:
        vector = word(entry + 8)
        for at in range(word(vector), word(vector + 8), 8):
            number += 1
            task = Task(layout, number, word(at))
            if task.state != "free":
                yield task
        entry = word(entry)


def print_stack(task):
    gdb.execute("frame 0", to_string=True)
    names = [*SAVED, "rip", "rsp"]
    before = {name: int(gdb.parse_and_eval(f"(unsigned long)${name}")) for name in names}
    try:
        for name, value in task.registers().items():
            gdb.execute(f"set ${name} = {value}", to_string=True)
        gdb.execute("bt")
    finally:
        for name, value in before.items():
            gdb.execute(f"set ${name} = {value}", to_string=True)


class Fibers(gdb.Command):
    """fibers [bt [NUMBER]]: lists the fibers of watchlab's FiberRuntime, with their stacks."""

    def __init__(self):
        super().__init__("fibers", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        words = argument.split()
        if words and words[0] != "bt":
            raise gdb.GdbError("usage: fibers [bt [NUMBER]]")
        layout = Layout()
        if words and not layout.own_switch:
            raise gdb.GdbError("the stacks of a build with a sanitizer cannot be read")
        wanted = int(words[1]) if len(words) > 1 else None
        count = 0
        for task in tasks(layout):
            if wanted is not None and task.number != wanted:
                continue
            count += 1
            print(task.line())
            if words and task.state != "running":
                print_stack(task)
        print(f"{count} fibers")


Fibers()
