import { createContext } from 'react'
import type { SlotMarkers } from './slots'

/** The markers during a render for the cache; null during a render for one visitor. */
export const Slots = createContext<SlotMarkers | null>(null)
