import { list } from './word-list.ts'

/**
 * Caches of package managers and build tools in a home folder: what is there is downloaded or built again. `~/.cache` as a
 * whole is not among them, since other programs keep there what takes long to get back.
 */
export function isToolCache(path: string, home: string): boolean {
  const inside = path.startsWith(`${home}/`) ? path.slice(home.length + 1) : inSomeHome.exec(path)?.[1]
  if (inside === undefined) return false
  const cached = inCacheFolder.exec(inside)?.[1]
  return cached === undefined ? ownFolders.test(inside) : cachingTools.has(cached.toLowerCase())
}

const inSomeHome = /^\/(?:home\/[^/]+|Users\/[^/]+|root)\/(.+)$/
const inCacheFolder = /^(?:\.cache|Library\/Caches|AppData\/Local\/cache)\/([^/]+)/

const cachingTools = new Set(
  list(`pip pip-tools pipenv pypoetry poetry uv pdm hatch pre-commit virtualenv conda mamba yarn pnpm npm node node-gyp corepack bun deno
  typescript turbo esbuild vite parcel babel eslint prettier go-build gopls golangci-lint goimports staticcheck bazel bazelisk buck ccache
  sccache mypy ruff black pylint flake8 pytest jedi ms-playwright ms-playwright-go puppeteer cypress electron electron-builder prisma composer
  coursier gradle maven kotlin sbt bloop nuget rubocop_cache bundler solargraph cocoapods homebrew zig clangd vcpkg conan meson trivy tflint
  helm act rust-analyzer cargo cargo-nextest`),
)

const ownFolders =
  /^(\.npm(\/_\w+.*)?|\.cargo\/(registry|git)(\/(cache|src|index|db|checkouts)(\/.*)?)?|\.gradle\/(caches|daemon|wrapper\/dists|notifications)(\/.*)?|\.m2\/(repository|wrapper)(\/.*)?|\.ivy2\/(cache|local)(\/.*)?|\.nuget\/packages(\/.*)?|\.local\/share\/(NuGet|pnpm\/store)(\/.*)?|Library\/pnpm\/store(\/.*)?|\.pnpm-store(\/.*)?|\.pub-cache(\/(hosted|git|_temp).*)?|\.composer\/cache(\/.*)?|\.bundle\/cache(\/.*)?|\.yarn(\/berry)?\/(cache|index)(\/.*)?|\.yarn-cache(\/.*)?|\.bun\/install\/cache(\/.*)?|\.ccache(\/.*)?|\.sccache(\/.*)?|\.node-gyp(\/.*)?|\.electron-gyp(\/.*)?|go\/pkg\/(mod|sumdb)(\/.*)?|\.terraform\.d\/plugin-cache(\/.*)?|\.hex\/packages(\/.*)?|\.cabal\/packages(\/.*)?|\.gem\/specs(\/.*)?|\.cocoapods\/repos(\/.*)?|\.konan\/cache(\/.*)?|(mini|ana)conda3\/pkgs(\/.*)?)$/
