/**
 * Calls `stop` once when the parent process has ended: npm does not pass every signal on, and a process that is
 * killed with SIGKILL cannot tell its children.
 */
export function onParentExit(stop: () => unknown): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, 500).unref()
}
