import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { App } from '@supabase/lite'
import type { Queries } from './database.ts'

type StorageAdapter = NonNullable<App['_storageAdapter']>
type ObjectMetadata = Awaited<ReturnType<StorageAdapter['headObject']>>

/**
 * Stores the objects of the storage API as files in one folder, because lite does not export its own file
 * adapter. A file's name is the hash of bucket and key, so no key can name a file outside the folder. The
 * object's row stores the media type and the cache control.
 */
export function openFileStore(folder: string, db: Queries): StorageAdapter {
  const fileOf = (bucket: string, key: string) => join(folder, fileName(bucket, key))

  const headObject: StorageAdapter['headObject'] = async (bucket, key) => {
    const { rows } = await db.query<{ metadata: ObjectMetadata }>(
      'select metadata from storage.objects where bucket_id = $1 and name = $2',
      [bucket, key],
    )
    const { size, mtime } = await stat(fileOf(bucket, key))
    return { ...(rows[0]?.metadata as ObjectMetadata), contentLength: size, size, lastModified: mtime }
  }

  const uploadObject: StorageAdapter['uploadObject'] = async (
    bucket,
    key,
    _,
    body,
    mimetype,
    cacheControl,
  ) => {
    const bytes = new Uint8Array(await new Response(body as BodyInit).arrayBuffer())
    await writeFile(folder, fileOf(bucket, key), bytes)
    const eTag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`
    return {
      mimetype,
      cacheControl,
      eTag,
      size: bytes.length,
      contentLength: bytes.length,
      httpStatusCode: 200,
    }
  }

  const deleteObject: StorageAdapter['deleteObject'] = (bucket, key) =>
    rm(fileOf(bucket, key), { force: true })

  return {
    driver: null,
    headObject,
    uploadObject,
    deleteObject,
    async deleteObjects(bucket, keys) {
      for (const key of keys) await deleteObject(bucket, key, undefined)
    },
    async getObject(bucket, key) {
      const metadata = await headObject(bucket, key, undefined).catch(() => null)
      // lite responds 'not found' if the object has no body.
      if (!metadata) return { metadata: {} as ObjectMetadata, httpStatusCode: 404 }
      const body = Readable.toWeb(createReadStream(fileOf(bucket, key))) as unknown as ReadableStream
      return { metadata, httpStatusCode: 200, body }
    },
    async copyObject() {
      throw new Error('Copying objects is not supported')
    },
    async privateAssetUrl() {
      throw new Error('Objects have no private URL')
    },
  }
}

/**
 * Deletes the files that a SIGKILL left: temporary files, and files whose row was never written or is already
 * deleted. An upload is acknowledged after its row is committed, so no acknowledged file is deleted.
 */
export async function sweepFiles(folder: string, db: Queries): Promise<void> {
  await mkdir(folder, { recursive: true })
  const { rows } = await db.query<{ bucket: string; key: string }>(
    'select bucket_id as bucket, name as key from storage.objects',
  )
  const known = new Set(rows.map(({ bucket, key }) => fileName(bucket, key)))
  for (const name of await readdir(folder))
    if (!known.has(name)) await rm(join(folder, name), { force: true })
}

function fileName(bucket: string, key: string): string {
  return createHash('sha256').update(`${bucket}/${key}`).digest('hex')
}

/** Writes to a temporary file and renames it, so that after a SIGKILL the file is either complete or absent. */
async function writeFile(folder: string, path: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(folder, `.${randomUUID()}`)
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
}
