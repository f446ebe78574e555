/** Why a file cannot be edited, to be put behind its name. */
export class UneditableFile extends Error {}
