import { createContext, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { liftToast } from './floating-toast'
import type { Notice } from './notice'

/**
 * Runs before the browser paints, so that a page never shows a toast twice. On a server, React warns about
 * layout effects, and `useEffect` does nothing.
 */
const useEffectBeforePaint = typeof document === 'undefined' ? useEffect : useLayoutEffect

/** Called when a hydrated page begins or ends to show a refused form, whose title then begins with 'Error:'. */
export const OnRefusal = createContext<(isRefused: boolean) => void>(() => {})

/**
 * A notice in the page. Without JavaScript, the notice stays in its place. On a hydrated page, this component
 * moves it over the page; on other pages, platform/enhance/toasts.ts does this.
 */
export function Toast({ notice }: { notice: Notice | null | undefined }) {
  const onRefusal = useContext(OnRefusal)
  const isRefusal = notice?.destructive === true
  useEffect(() => {
    if (!isRefusal) return
    onRefusal(true)
    return () => onRefusal(false)
  }, [isRefusal, onRefusal])
  const toast = useRef<HTMLDivElement>(null)
  const [lifted, setLifted] = useState<Notice>()
  useEffectBeforePaint(() => {
    if (!notice || !toast.current) return
    setLifted(notice)
    // The worker does not contain the toast script.
    return import.meta.env.SSR ? undefined : liftToast(toast.current)
  }, [notice])
  if (!notice || lifted === notice) return null
  const tone = notice.destructive ? 'border-bad bg-bad-wash' : 'border-good bg-good-wash'
  return (
    <div role={notice.destructive ? 'alert' : 'status'} className="toast" ref={toast}>
      <div className={`toast-box ${tone}`}>
        <p className={`font-semibold ${notice.destructive ? 'text-bad' : 'text-good'}`}>{notice.title}</p>
        <p lang={notice.lang}>{notice.text}</p>
      </div>
    </div>
  )
}
