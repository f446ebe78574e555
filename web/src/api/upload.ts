import { writeCall } from '../../../src/protocol/operations/arguments.ts'
import { operation } from '../../../src/protocol/operations/index.ts'
import type { Request } from '../../../src/protocol/request.ts'
import { base } from '../base.ts'
import { refusalOf, Unreachable } from './call.ts'
import { pageHeader } from './page-secret.ts'

/** Sends a file as the answer and reports its progress, which `fetch` cannot. */
export function upload(
  id: string,
  file: File,
  note: string | null,
  onProgress: (part: number) => void,
): Promise<Request> {
  const { method } = operation.answerWithFile
  const { path } = writeCall(operation.answerWithFile, [id, { name: file.name, ...(note === null ? {} : { note }) }])
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest()
    call.open(method, base + path)
    call.setRequestHeader('content-type', 'application/octet-stream')
    for (const [name, value] of Object.entries(pageHeader())) call.setRequestHeader(name, value)
    call.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    call.onerror = () => reject(new Unreachable('The server cannot be reached.'))
    call.onload = () => {
      if (call.status < 300) resolve(JSON.parse(call.responseText) as Request)
      else reject(refusalOf(call.status, call.statusText, call.responseText))
    }
    call.send(file)
  })
}
