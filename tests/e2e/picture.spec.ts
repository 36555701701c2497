import { createRequire } from 'node:module'
import { expect, expectToast, test } from './fixtures.ts'

// The image library of miniflare.
const fromMiniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'))
const sharp = fromMiniflare('sharp') as typeof import('sharp').default

/**
 * Returns a picture in the format in which a phone stores it: 12 megapixels, orientation 6, GPS latitude. The
 * left half is red, the right half blue.
 */
async function phonePicture(): Promise<Buffer> {
  const red = await sharp({ create: { width: 2016, height: 3024, channels: 3, background: '#f00' } })
    .png()
    .toBuffer()
  const picture = await sharp({ create: { width: 4032, height: 3024, channels: 3, background: '#00f' } })
    .composite([{ input: red, left: 0, top: 0 }])
    .png()
    .toBuffer()
  return sharp(picture)
    .withExif({ IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
}

test('a member adds, replaces and removes a picture', async ({ page, member, javaScriptEnabled }) => {
  expect(member.username).toBeTruthy()
  await page.goto('/dashboard?edit=profile')
  const input = page.getByLabel('Picture', { exact: true })
  const preview = page.getByRole('img', { name: 'Preview of the chosen picture' })
  await expect(preview).toBeHidden()
  await input.setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: await phonePicture() })
  if (javaScriptEnabled) {
    await expect(preview).toBeVisible()
    // The picture is upright: red is at the top, blue at the bottom.
    const colours = await preview.evaluate((canvas: HTMLCanvasElement) => {
      const column = canvas.getContext('2d')?.getImageData(96, 0, 1, 192).data
      return [20, 170].map((y) => [...(column?.slice(4 * y, 4 * y + 3) ?? [])])
    })
    expect(colours.map(([red = 0, , blue = 0]) => (red > blue ? 'red' : 'blue'))).toEqual(['red', 'blue'])
  }
  await page.getByRole('button', { name: 'Save picture' }).click()
  await expectToast(page, 'status', 'Success', 'Picture updated successfully')

  await expect(page).toHaveURL(/\/dashboard$/)
  const shown = page.locator('main img[src^="/pictures/avatars/"]')
  await expect(shown).toBeVisible()
  const first = await shown.getAttribute('src')
  const served = await page.request.get(first as string)
  expect(served.headers()['content-type']).toBe('image/webp')
  const { width, height, exif } = await sharp(await served.body()).metadata()
  expect({ width, height, exif }).toEqual({ width: 512, height: 512, exif: undefined })

  await page.goto('/dashboard?edit=profile')
  await input.setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<svg/>') })
  await expect(preview).toBeHidden()
  await page.getByRole('button', { name: 'Save picture' }).click()
  await expectToast(page, 'alert', 'Validation Error', "This file isn't a JPEG, PNG, WebP or AVIF picture")
  await expect(page).toHaveURL(/edit=profile$/)

  await page.goto('/dashboard?edit=profile')
  await page.getByRole('button', { name: 'Remove picture' }).click()
  await expectToast(page, 'status', 'Success', 'Picture removed')
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(shown).toHaveCount(0)
})
