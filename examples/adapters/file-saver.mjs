import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import { MemorySaver } from '@langchain/langgraph'

/** LangGraph's checkpointer in memory, written to a file at each step: enough for an example. */
export class FileSaver extends MemorySaver {
  constructor(file) {
    super()
    this.file = file
    try {
      Object.assign(this, deserialize(readFileSync(file)))
    } catch (error) {
      if (error.code !== 'ENOENT') throw error
    }
  }

  async put(...args) {
    return this.save(await super.put(...args))
  }

  async putWrites(...args) {
    return this.save(await super.putWrites(...args))
  }

  save(result) {
    const { storage, writes, file } = this
    writeFileSync(`${file}.next`, serialize({ storage, writes }))
    renameSync(`${file}.next`, file)
    return result
  }
}
