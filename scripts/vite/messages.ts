import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { type PluginObj, transformAsync, types } from '@babel/core'
import macro from '@lingui/babel-plugin-lingui-macro'
import { makeConfig } from '@lingui/conf'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'
import linguiConfig from '../../lingui.config.ts'

const config = makeConfig(linguiConfig, { skipValidation: true })

interface TransformResult {
  code: string
  map: never
}

/** A module that imports a Lingui macro. */
const macroImport = /from ['"]@lingui\/(core|react)\/macro['"]/

/**
 * Replaces Lingui's macros in the modules of app/, and compiles the English messages in these modules. Fails
 * for a macro that would use Lingui's global `i18n`, because an isolate serves requests in several languages.
 */
export function messages(): Plugin {
  return {
    name: 'goodblock:messages',
    enforce: 'pre',
    async transform(code, id) {
      const filename = id.replace(/\?.*$/, '')
      if (!macroImport.test(code) || !/\.tsx?$/.test(filename)) return
      // The build has no source maps.
      const sourceMaps = this.environment.mode !== 'build'
      return kept([code, filename, `${sourceMaps}`], async () => {
        const transformed = await transformAsync(code, {
          filename,
          configFile: false,
          babelrc: false,
          sourceMaps,
          parserOpts: { plugins: ['typescript', 'jsx'] },
          plugins: [[macro, { descriptorFields: 'message', linguiConfig: config }], compileEnglish],
        })
        return { code: transformed?.code ?? '', map: transformed?.map as never }
      })
    },
  }
}

const cache = 'node_modules/.cache/goodblock-messages'
/** The files that determine the results, in addition to the module itself. */
const sources = ['scripts/vite/messages.ts', 'lingui.config.ts', 'package-lock.json'].map((path) =>
  readFileSync(path),
)

/**
 * Stores the result of `work` in a file whose name is a hash of everything that determines the result.
 * Otherwise a build would repeat the work for each of its outputs, up to five times.
 */
async function kept(inputs: string[], work: () => Promise<TransformResult>): Promise<TransformResult> {
  const hash = createHash('sha256')
  for (const input of [...sources, ...inputs]) hash.update(input).update('\0')
  const file = `${cache}/${hash.digest('base64url')}.json`
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const result = await work()
  const unfinished = `${file}.${randomUUID()}`
  mkdirSync(cache, { recursive: true })
  writeFileSync(unfinished, JSON.stringify(result))
  renameSync(unfinished, file)
  return result
}

/** Compiles the English messages after the macros have been replaced. */
function compileEnglish(): PluginObj {
  return {
    visitor: {
      Program: {
        exit(program) {
          program.traverse({
            ImportDeclaration({ node, buildCodeFrameError }) {
              if (node.source.value === '@lingui/core' && node.importKind !== 'type')
                throw buildCodeFrameError('use `msg` and the `i18n` of the request, or `useLingui`')
            },
            ObjectExpression({ node }) {
              if (!node.leadingComments?.some(({ value }) => value.trim() === '* i18n')) return
              node.leadingComments = null
              node.properties = node.properties.filter(
                (property) => !(types.isObjectProperty(property) && nameOf(property) === 'context'),
              )
              for (const property of node.properties)
                if (types.isObjectProperty(property) && nameOf(property) === 'message')
                  property.value = compiled(property.value)
            },
          })
        },
      },
    },
  }
}

function nameOf({ key }: types.ObjectProperty): string | undefined {
  return types.isIdentifier(key) ? key.name : undefined
}

function compiled(message: types.ObjectProperty['value']): types.Expression {
  if (types.isStringLiteral(message)) return compile(message.value)
  if (types.isTemplateLiteral(message)) return compile(message.quasis[0]?.value.cooked ?? '')
  throw new Error(`a message is neither a string nor a template (${message.type})`)
}

/** Compiles a message, through JSON: a plural's undefined `offset` would become code. */
function compile(message: string): types.Expression {
  return types.valueToNode(JSON.parse(JSON.stringify(compileMessageOrThrow(message))))
}
