import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { hasMocks } from './has-mocks'

/** Files with mocks first, so that each process loads the shop once for all the others. */
export class MocksFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const having = (mocks: boolean) => sorted.filter(({ moduleId }) => hasMocks(moduleId) === mocks)
    return [...having(true), ...having(false)]
  }
}
