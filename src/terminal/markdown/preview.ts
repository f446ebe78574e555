import type { Line } from '../../text/styled.ts'
import { paragraphs } from '../paragraphs.ts'
import { renderMarkdown } from './markdown.ts'

const fence = /^ {0,3}(```|~~~)/m

/** The preview of an option, as on the page: Markdown if it has a fence, else text in which every space counts. */
export function renderPreview(preview: string, columns: number): Line[] {
  return fence.test(preview) ? renderMarkdown(preview, columns) : paragraphs(preview, columns)
}
