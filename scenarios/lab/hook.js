// Stands in the page of a run, which cannot reach the page around it: tells that one which alternative was clicked.
document.addEventListener('click', (event) => {
  const button = event.target.closest?.('[data-take]');
  if (button) {
    event.stopImmediatePropagation();
    parent.postMessage({take: button.dataset.take, words: button.textContent}, '*');
  }
}, true);
