const shapes = {
  animals:
    'M12 12.5c2.6 0 5 2.3 5 4.7 0 1.6-1.2 2.3-2.4 2.3-1 0-1.6-.6-2.6-.6s-1.6.6-2.6.6c-1.2 0-2.4-.7-2.4-2.3 0-2.4 2.4-4.7 5-4.7zM5 8.7c.9 0 1.6.9 1.6 2s-.7 2-1.6 2-1.6-.9-1.6-2 .7-2 1.6-2zM19 8.7c.9 0 1.6.9 1.6 2s-.7 2-1.6 2-1.6-.9-1.6-2 .7-2 1.6-2zM9.2 4.2c.9 0 1.6 1 1.6 2.2s-.7 2.2-1.6 2.2-1.6-1-1.6-2.2.7-2.2 1.6-2.2zM14.8 4.2c.9 0 1.6 1 1.6 2.2s-.7 2.2-1.6 2.2-1.6-1-1.6-2.2.7-2.2 1.6-2.2z',
  away: 'M7 17L17 7M9 7h8v8',
  toward: 'M17 7L7 17M15 17H7V9',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M10 8.5h7a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2zM5 14.5v-8a2 2 0 0 1 2-2h8',
  donated: 'M12 19.8S4.2 15.2 4.2 9.6A4.1 4.1 0 0 1 12 7.3a4.1 4.1 0 0 1 7.8 2.3c0 5.6-7.8 10.2-7.8 10.2z',
  dreams: 'M12 3.8l2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8z',
  education:
    'M12 6.6C10 5.2 7 4.7 3.6 5.2v12.7c3.4-.5 6.4 0 8.4 1.4 2-1.4 5-1.9 8.4-1.4V5.2C17 4.7 14 5.2 12 6.6zM12 6.6v12.7',
  holders:
    'M9 11.2a3.6 3.6 0 1 0 0-7.2 3.6 3.6 0 0 0 0 7.2zM2.6 19.8c0-3.5 2.8-5.7 6.4-5.7s6.4 2.2 6.4 5.7M15.8 4.4a3.6 3.6 0 0 1 0 6.4M18 14.6c2.1.8 3.4 2.7 3.4 5.2',
  relief: 'M3 19.5L12 5l9 14.5zM12 12.5l-3 7M12 12.5l3 7M12 5V3',
  silent:
    'M9.5 14.5l-2.6 2.6a3.5 3.5 0 0 1-5-5l2.6-2.6M14.5 9.5l2.6-2.6a3.5 3.5 0 0 1 5 5l-2.6 2.6M8 3v2.5M3 8h2.5M16 21v-2.5M21 16h-2.5',
  treasury: 'M6 5.5h12a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3v-8a3 3 0 0 1 3-3zM3 10h18M15.5 15h2',
  waiting: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2',
} as const

export type IconName = keyof typeof shapes

/** A decorative icon beside a text. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} fill="none" className="shrink-0" aria-hidden="true">
      <path
        d={shapes[name]}
        stroke="currentColor"
        strokeWidth="1.9"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
