import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Those that wait for real programs come first: others fill the time. */
const ORDER = ['console', 'process', 'adapters', 'postgres', 'embedded', 'pure']

/** Group by group, the longest file first: a worker keeps what it has loaded as long as the group stays the same. */
export class GroupByGroup extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification) => ORDER.indexOf(project.name)
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
