// Written by `beckon setup opencode`, which also removes it: `beckon setup opencode --undo`.
// opencode goes on in silence where a plugin cannot be loaded. This file stays, and then stops every command instead.
const plugin = '__BECKON_PLUGIN__'
const options = '__BECKON_OPTIONS__'

export const Beckon = async input => {
  try {
    const { default: beckon } = await import(plugin)
    return await beckon.server(input, options)
  } catch (error) {
    const blocked = `It was not run, because Beckon is not where it was installed (${error}). Run "beckon setup opencode" again, or remove it: delete ${import.meta.url}`
    return {
      'tool.execute.before': async ({ tool }) => {
        if (tool === 'bash') throw new Error(blocked)
      },
    }
  }
}
