import { Drawing } from './icon'

const shapes = {
  animals:
    'M12 12.5c2.6 0 5 2.3 5 4.7 0 1.6-1.2 2.3-2.4 2.3-1 0-1.6-.6-2.6-.6s-1.6.6-2.6.6c-1.2 0-2.4-.7-2.4-2.3 0-2.4 2.4-4.7 5-4.7zM5 8.7c.9 0 1.6.9 1.6 2s-.7 2-1.6 2-1.6-.9-1.6-2 .7-2 1.6-2zM19 8.7c.9 0 1.6.9 1.6 2s-.7 2-1.6 2-1.6-.9-1.6-2 .7-2 1.6-2zM9.2 4.2c.9 0 1.6 1 1.6 2.2s-.7 2.2-1.6 2.2-1.6-1-1.6-2.2.7-2.2 1.6-2.2zM14.8 4.2c.9 0 1.6 1 1.6 2.2s-.7 2.2-1.6 2.2-1.6-1-1.6-2.2.7-2.2 1.6-2.2z',
  donated: 'M12 19.8S4.2 15.2 4.2 9.6A4.1 4.1 0 0 1 12 7.3a4.1 4.1 0 0 1 7.8 2.3c0 5.6-7.8 10.2-7.8 10.2z',
  dreams: 'M12 3.8l2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8z',
  education:
    'M12 6.6C10 5.2 7 4.7 3.6 5.2v12.7c3.4-.5 6.4 0 8.4 1.4 2-1.4 5-1.9 8.4-1.4V5.2C17 4.7 14 5.2 12 6.6zM12 6.6v12.7',
  holders:
    'M9 11.2a3.6 3.6 0 1 0 0-7.2 3.6 3.6 0 0 0 0 7.2zM2.6 19.8c0-3.5 2.8-5.7 6.4-5.7s6.4 2.2 6.4 5.7M15.8 4.4a3.6 3.6 0 0 1 0 6.4M18 14.6c2.1.8 3.4 2.7 3.4 5.2',
  relief: 'M3 19.5L12 5l9 14.5zM12 12.5l-3 7M12 12.5l3 7M12 5V3',
  treasury: 'M6 5.5h12a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3v-8a3 3 0 0 1 3-3zM3 10h18M15.5 15h2',
} as const

export type PictogramName = keyof typeof shapes

/** The decorative symbol of a subject. Not in platform/ui/icon.tsx, because the dashboard's script contains that module. */
export function Pictogram({ name, size = 20 }: { name: PictogramName; size?: number }) {
  return <Drawing shape={shapes[name]} size={size} />
}
