/**
 * Calls `stop` once after the parent process has ended. Signals are not enough: npm does not forward every
 * signal, and a parent that was killed with SIGKILL cannot signal its children.
 */
export function onParentExit(stop: () => unknown): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, 500).unref()
}
