declare module 'validate-npm-package-name' {
  function validate(name: string): { validForNewPackages: boolean; validForOldPackages: boolean; warnings?: string[] }
  export = validate
}
