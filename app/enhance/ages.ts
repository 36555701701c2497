import { formatsTag } from '../locales/say'

/**
 * Adds the age to each `<time data-ageing>`, or shows it instead of the date (`data-ageing="alone"`), and updates it
 * every 30 seconds. Shows the warning `[data-late]` when an age is at least `data-late` seconds.
 */
const units: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

export function tellAges() {
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-ageing]')) {
    const seconds = Math.max(1, Math.floor((Date.now() - Date.parse(time.dateTime)) / 1000))
    const [unit, length] = units.find(([, length]) => seconds >= length) as (typeof units)[0]
    const ago = new Intl.RelativeTimeFormat(formatsTag).format(-Math.floor(seconds / length), unit)
    time.title ||= time.textContent as string
    time.textContent = time.dataset.ageing ? ago : `${time.title} (${ago})`
    const warning = document.querySelector<HTMLElement>('[data-late]')
    if (warning && seconds >= Number(warning.dataset.late)) warning.hidden = false
  }
}

tellAges()
setInterval(tellAges, 30_000)
