/**
 * Shows progress: on a terminal a bar, elsewhere a line for every tenth of `total`. Returns a function that
 * takes the number of finished units and a note.
 */
export function showProgress(total: number, unit: string, output: NodeJS.WriteStream = process.stderr) {
  const startedAt = Date.now()
  let tenths = -1
  return (done: number, note: string): void => {
    const share = total === 0 ? 1 : Math.min(1, done / total)
    const percent = `${Math.floor(share * 100)} %`
    const left = share > 0 && share < 1 ? ((Date.now() - startedAt) / share) * (1 - share) : 0
    const text = `${percent}, ${unit} ${done} of ${total}, ${note}${left ? `, ${duration(left)} left` : ''}`
    if (output.isTTY) {
      const filled = Math.round(share * 20)
      output.write(
        `\r\x1b[K[${'#'.repeat(filled)}${'-'.repeat(20 - filled)}] ${text}${share === 1 ? '\n' : ''}`,
      )
    } else if (Math.floor(share * 10) > tenths) {
      tenths = Math.floor(share * 10)
      output.write(`${text}\n`)
    }
  }
}

/** Formats a duration in milliseconds, rounded up: '40 s', '3 min', '2 h 10 min'. */
export function duration(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / 60_000)
  if (minutes <= 1) return `${Math.ceil(milliseconds / 1000)} s`
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
