const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** Adds the visitor's local time to every `<time data-local>`, which shows UTC. */
export function addLocalTimes(root: Document | Element): void {
  for (const time of root.querySelectorAll<HTMLTimeElement>('time[data-local]')) {
    const own = document.createElement('span')
    own.className = 'block text-sm text-muted'
    own.textContent = `${format.format(new Date(time.dateTime))} your time`
    time.after(own as never)
  }
}

addLocalTimes(document)
