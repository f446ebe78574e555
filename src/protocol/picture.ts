/** The types of pictures that a page shows, known by their bytes. Everything else is a file to download. */
const pictureTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const
export type PictureType = (typeof pictureTypes)[number]

export function isPicture({ type }: { type: string }): boolean {
  return (pictureTypes as readonly string[]).includes(type)
}
