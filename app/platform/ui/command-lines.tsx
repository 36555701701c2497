/** Commands for a terminal. A line that is too long breaks between words, or inside a URL after a slash. */
export function CommandLines({ children }: { children: string }) {
  const parts = children.split(/(?<=\s)|(?=\s)|(?<=[^/]\/)(?=[^/\s])/)
  return (
    <pre className="commands">
      <code>
        {parts.map((part, place) =>
          /\s/.test(part) ? (
            part
          ) : (
            // The parts never change, and two of them may be equal.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <span key={place} className="inline-block max-w-full">
              {part}
            </span>
          ),
        )}
      </code>
    </pre>
  )
}
