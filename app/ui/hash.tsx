/** A transaction hash or a wallet address, shortened in the middle, whole in its title; a link if `href` is set. */
export function Hash({ value, href }: { value: string; href: string | null }) {
  const text = `${value.slice(0, 8)}…${value.slice(-6)}`
  return href ? (
    <a href={href} title={value} className="link hash hash-short" rel="noopener">
      {text}
    </a>
  ) : (
    <span title={value} className="hash hash-short">
      {text}
    </span>
  )
}
