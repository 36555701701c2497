import { useLanguage } from '../locales/react'

const shapes = {
  alert: 'M12 4.5v9.5M12 18.5v1',
  away: 'M7 17L17 7M9 7h8v8',
  'away-rtl': 'M17 17L7 7M15 7H7v8',
  bell: 'M12 3.5a6 6 0 0 0-6 6c0 5-2 6.5-2 7.5h16c0-1-2-2.5-2-7.5a6 6 0 0 0-6-6zM10 20.5h4',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M10 8.5h7a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2zM5 14.5v-8a2 2 0 0 1 2-2h8',
  receipt: 'M6 3.5h12v17l-2.4-1.6-2.4 1.6-2.4-1.6-2.4 1.6-2.4-1.6zM9 8.5h6M9 12.5h6',
  silent:
    'M9.5 14.5l-2.6 2.6a3.5 3.5 0 0 1-5-5l2.6-2.6M14.5 9.5l2.6-2.6a3.5 3.5 0 0 1 5 5l-2.6 2.6M8 3v2.5M3 8h2.5M16 21v-2.5M21 16h-2.5',
  waiting: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2',
} as const

export type IconName = Exclude<keyof typeof shapes, 'away-rtl'>

/** A decorative icon beside a text. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  const { locale } = useLanguage()
  return <Drawing shape={shapes[name === 'away' && locale.dir === 'rtl' ? 'away-rtl' : name]} size={size} />
}

/** A decorative drawing. `shape` is the path in a square of 24 units. */
export function Drawing({ shape, size }: { shape: string; size: number }) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} fill="none" className="shrink-0" aria-hidden="true">
      <path d={shape} stroke="currentColor" strokeWidth="1.9" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
