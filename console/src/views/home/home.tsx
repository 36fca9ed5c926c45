import { useStanding } from '../../frame/standing.ts'
import { Page } from '../../parts/page.tsx'
import { isolate } from '../../words/language.ts'
import { ForLeaders } from './for-leaders.tsx'
import { MyProjects } from './my-projects.tsx'
import { MyTasks } from './my-tasks.tsx'
import { Today } from './today.tsx'
import { Unread } from './unread.tsx'
import { useHomeWords } from './words.ts'

/** What people see first: what is theirs to do, what is new for them, where they work. */
export default function Home() {
  const t = useHomeWords()
  const { me } = useStanding()
  return (
    <Page title={t.title} heading={me.user ? t.greeting(isolate(me.user.name)) : t.title}>
      <ForLeaders />
      <div class="home">
        <MyTasks />
        <div>
          <Unread />
          <Today />
          <MyProjects />
        </div>
      </div>
    </Page>
  )
}
