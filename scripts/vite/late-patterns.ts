import { type Plugin, parseAst } from 'vite'

/**
 * Writes a pattern with properties of Unicode as `new RegExp(…)` into the worker. V8 loads the properties whenever it
 * reads such a literal, also in a function that does not run, and a new isolate would wait for it.
 */
export function latePatterns(): Plugin {
  return {
    name: 'goodblock:late-patterns',
    apply: 'build',
    enforce: 'post',
    applyToEnvironment: ({ name }) => name === 'ssr',
    transform: (code) => (code.includes('\\p{') ? { code: withLatePatterns(code), map: null } : null),
  }
}

/** The same script, without literals whose pattern has a property of Unicode. */
export function withLatePatterns(code: string): string {
  let text = ''
  let end = 0
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const node = value as { regex?: { pattern: string; flags: string }; start: number; end: number }
    if (node.regex?.pattern.includes('\\p{')) {
      const { pattern, flags } = node.regex
      text += `${code.slice(end, node.start)}new RegExp(${JSON.stringify(pattern)}, ${JSON.stringify(flags)})`
      end = node.end
    }
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseAst(code))
  return text + code.slice(end)
}
