import { useEffect, useState } from 'react'
import { type Attachment, loadAttachment } from '../api/attachments.ts'
import { errorText } from '../words/error-text.ts'

interface Loaded {
  /** Null until it is loaded. */
  address: string | null
  failure: string | null
}

const nothing: Loaded = { address: null, failure: null }

/** An address for a picture, in this page's memory: no element of the page loads anything from elsewhere. */
export function useBlobAddress(request: string, file: Attachment | undefined, isWanted: boolean): Loaded {
  const { id, type } = file ?? {}
  const [loaded, setLoaded] = useState(nothing)
  useEffect(() => {
    if (!isWanted || id === undefined || type === undefined) return
    const ended = new AbortController()
    let address: string | null = null
    loadAttachment(request, { id, type }, ended.signal).then(
      blob => {
        if (ended.signal.aborted) return
        address = URL.createObjectURL(blob)
        setLoaded({ address, failure: null })
      },
      error => ended.signal.aborted || setLoaded({ address: null, failure: errorText(error) }),
    )
    return () => {
      ended.abort()
      setLoaded(nothing)
      if (address !== null) URL.revokeObjectURL(address)
    }
  }, [request, id, type, isWanted])
  return loaded
}
