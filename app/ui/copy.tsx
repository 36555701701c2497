import { Icon } from './icon'

/** Invisible until script replaces it with a copy button (enhance/copying.ts). `quiet` is for small print. */
export function Copy({ text, what, quiet = false }: { text: string; what: string; quiet?: boolean }) {
  return (
    <span className={`copy invisible ${quiet ? 'copy-quiet' : ''}`} data-copy={text}>
      <Icon name="copy" size={18} />
      <span>
        Copy<span className="sr-only"> {what}</span>
      </span>
    </span>
  )
}
