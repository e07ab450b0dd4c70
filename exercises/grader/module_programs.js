// How a module of WebAssembly starts a program: the page does it, and the call goes on when it has ended.
addToLibrary({
  watchlab_run_program__async: true,
  watchlab_run_program__deps: ['$UTF8ToString', '$stringToNewUTF8', '$setValue'],
  watchlab_run_program: async (words, size, folder, output) => {
    const text = new TextDecoder().decode(HEAPU8.slice(words, words + size));
    const end = await Module['runProgram'](text.split('\0'), UTF8ToString(folder));
    setValue(output, stringToNewUTF8(end.output), '*');
    return end.status;
  },
});
