import { useLanguage } from '../locales/react'

/** A decorative arrow in the reading direction; `back` reverses it. */
export function Arrow({ back = false, className }: { back?: boolean; className?: string }) {
  const { locale } = useLanguage()
  return (
    <span aria-hidden="true" className={className}>
      {(locale.dir === 'rtl') === back ? '→' : '←'}
    </span>
  )
}
