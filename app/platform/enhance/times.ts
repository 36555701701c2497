import { formatsTag } from '../locales/say'

const units: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/**
 * Adds the age to each `<time data-ageing>`, or replaces the date with the age (`data-ageing="alone"`).
 * Updates the ages every 30 seconds. Shows the warning `[data-late]` when the age is at least `data-late`
 * seconds. Few pages also show times in local time, so local-times.ts is loaded on demand.
 */
export function tellTimes() {
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-ageing]')) {
    const seconds = Math.max(1, Math.floor((Date.now() - Date.parse(time.dateTime)) / 1000))
    const [unit, length] = units.find(([, length]) => seconds >= length) as (typeof units)[0]
    const ago = new Intl.RelativeTimeFormat(formatsTag()).format(-Math.floor(seconds / length), unit)
    time.title ||= time.textContent as string
    time.textContent = time.dataset.ageing ? ago : `${time.title} (${ago})`
    const warning = document.querySelector<HTMLElement>('[data-late]')
    if (warning && seconds >= Number(warning.dataset.late)) warning.hidden = false
  }
  if (document.querySelector('time[data-local]'))
    void import('./local-times').then(({ addLocalTimes }) => addLocalTimes())
}

tellTimes()
setInterval(tellTimes, 30_000)
