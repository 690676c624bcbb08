// Before the program: the theme, so that nothing flashes; and a sentence when the program cannot start.
'use strict';
(() => {
  const root = document.documentElement;
  // Inside another page: without the bar.
  if (/[?&]embed=1\b/.test(location.href)) root.dataset.embed = '';
  try {
    const theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  } catch {
    // No storage here: the system's theme it is.
  }
  const say = (reason) => {
    const line = document.querySelector('[data-boot-problem]');
    if (!line || !line.hidden) return;
    line.textContent = `The program could not start: ${reason}. The picture shows the plan that it would mend.`;
    line.hidden = false;
  };
  const failed = (event) => {
    const file = event.target instanceof Element && event.target;
    // A style sheet or a picture that is missing stops nothing.
    if (file && !file.matches('script, link[rel*=preload]')) return;
    const error = event.error || event.reason;
    const reason = file ? 'a file of this page did not load' : (error && error.message) || event.message;
    say(reason || 'the browser gave no reason');
  };
  // A script that does not load reports only to a listener that captures.
  addEventListener('error', failed, true);
  addEventListener('unhandledrejection', failed);
  addEventListener('TrunkApplicationStarted', () => {
    removeEventListener('error', failed, true);
    removeEventListener('unhandledrejection', failed);
  });
  if (typeof WebAssembly !== 'object') {
    addEventListener('DOMContentLoaded', () => say('this browser has no WebAssembly'));
  }
})();
