import { render } from 'preact'
import { App } from './frame/app.tsx'
import { keepScroll } from './frame/scroll.ts'
import './style/base.css'
import './style/frame.css'
import './style/parts.css'

keepScroll()
render(<App />, document.getElementById('console') as HTMLElement)
