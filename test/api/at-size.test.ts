// @module-tag long

import { describeAtSize } from '../rounds/at-size.ts'

describeAtSize({ tasks: 3_000, companies: 5 })
