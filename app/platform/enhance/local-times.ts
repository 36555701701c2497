import { formatsTag, say } from '../locales/say'
import type { pageSentences } from './sentences'

/** Adds the visitor's local time to every `<time data-local>`, which shows UTC, if the two times differ. */
export function addLocalTimes(): void {
  // Created on first use, because creating it takes longer than the rest of the script.
  let format: Intl.DateTimeFormat | undefined
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-local]')) {
    const date = new Date(time.dateTime)
    delete time.dataset.local
    if (!date.getTimezoneOffset()) continue
    format ??= new Intl.DateTimeFormat(formatsTag(), { dateStyle: 'medium', timeStyle: 'short' })
    const own = document.createElement('span')
    own.className = 'block text-sm text-muted'
    own.textContent = say<typeof pageSentences>('yourTime', { time: format.format(date) })
    time.after(own as never)
  }
}
