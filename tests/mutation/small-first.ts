import { statSync } from 'node:fs'
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** A mutant ends with its first failure. Vitest's own order begins with what takes longest; this with what failed last and what is small. */
export class SmallFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const hasFailed = ({ project, moduleId }: TestSpecification) =>
      this.ctx.cache.getFileTestResults(`${project.name}:${relative(this.ctx.config.root, moduleId)}`)?.failed === true
    const ranked = files.map((file) => ({
      file,
      rank: hasFailed(file) ? 0 : statSync(file.moduleId).size + (file.moduleId.includes('/routes/') ? 1e9 : 0),
    }))
    return Promise.resolve(ranked.sort((one, other) => one.rank - other.rank).map(({ file }) => file))
  }
}
