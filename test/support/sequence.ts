import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests that wait for external programs come first. At the end are many short files, so that no worker is left with a long one. */
const ORDER = ['console', 'process', 'adapters', 'pure', 'postgres', 'embedded']

/** Group by group, the longest file first: a worker keeps its loaded modules as long as the group stays the same. */
export class GroupByGroup extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification) => ORDER.indexOf(project.name)
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
