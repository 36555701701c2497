import type { Plugin } from 'vite'

/** In the verifier: the imports from Node, and what runs if Node starts the file. */
const imports = /^import .* from 'node:.*'\n/gm
const start = '// Nothing runs when a test imports this file.'

/**
 * Lets the script of a page use the verifier's count of a vote: SHA-256 comes from a package, and nothing runs. The build
 * drops all functions that the page does not use, and with them what only Node has.
 */
export function verifier(): Plugin {
  return {
    name: 'goodblock:verifier',
    transform(code, id) {
      if (!/\/public\/verify-ledger\.mjs(\?|$)/.test(id)) return
      const [functions = '', ...rest] = code.split(start)
      if (rest.length !== 1 || !imports.test(code)) throw new Error('verify-ledger.mjs has another form')
      const hash = `import { sha256 as ofPackage } from '@noble/hashes/sha2.js'\nconst createHash = () => ofPackage.create()\n`
      return { code: hash + functions.replace(/^#!.*\n/, '').replace(imports, ''), map: null }
    },
  }
}
