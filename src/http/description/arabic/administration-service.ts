/** The operations of the administration on keys, what was done with them, calendars, webhooks and the service itself. */
export const ADMINISTRATION_OF_SERVICE: Record<string, string> = {
  'List API keys': 'عرض مفاتيح API',
  '`state` selects keys that work, that have expired, or that were revoked.':
    'يختار `state` المفاتيح الصالحة، أو التي انتهت صلاحيتها، أو المُبطَلة.',
  'For the operator and key administrators.': 'للمشغِّل ولمن يديرون مفاتيح API.',
  'Make an API key': 'إنشاء مفتاح API',
  'The key is shown in this answer and never again: only a digest of it is stored.':
    'يظهر المفتاح في هذه الإجابة ولا يظهر بعدها أبدًا: لا تُحفظ إلا بصمته.',
  'For the operator and key administrators. Kept in the audit.': 'للمشغِّل ولمن يديرون مفاتيح API. يُقيَّد في سجل التدقيق.',
  'Default: the preset of `access`, which holds nothing destructive':
    'الافتراضي: المجموعة الجاهزة لقيمة `access`، وليس فيها حذف',
  'Default: `manage_files` for write access': 'الافتراضي: `manage_files` لمستوى الكتابة',
  'ISO 8601, not in the past; without an offset in the company zone':
    'بصيغة ISO 8601، وليس في الماضي؛ وبلا فارق زمني يُفهم بتوقيت الشركة',
  'The person who signs what the key does. By default the caller; for the operator, the owner. Only an owner or the operator can name somebody else.':
    'الشخص الذي يُوقَّع باسمه ما يفعله المفتاح. الافتراضي هو المستدعي، وللمشغِّل هو المالك. لا يسمّي غيره إلا مالك أو المشغِّل.',
  'Get an API key': 'عرض مفتاح API',
  'Update an API key': 'تعديل مفتاح API',
  'Revoke an API key': 'إبطال مفتاح API',
  'Takes effect at once, on every node, and cannot be undone.': 'يسري فورًا على كل عقدة، ولا رجعة فيه.',
  'Rotate an API key': 'تجديد مفتاح API',
  'Makes a new key with the same settings and creator, which names the old one in `replaces`. The old key stops working after the overlap, or when it expires if that is sooner. The new key is shown in this answer and never again. Only an owner or the operator can rotate a key that signs as somebody else.':
    'ينشئ مفتاحًا جديدًا بالإعدادات نفسها وللمنشئ نفسه، يذكر القديم في `replaces`. يتوقف القديم بعد مدة التداخل، أو عند انتهاء صلاحيته إن كان ذلك أقرب. يظهر المفتاح الجديد في هذه الإجابة ولا يظهر بعدها أبدًا. لا يجدّد مفتاحًا يوقّع باسم شخص آخر إلا مالك أو المشغِّل.',
  'How long the old key keeps working; default 24': 'عدد الساعات التي يبقى فيها المفتاح القديم صالحًا؛ الافتراضي 24',
  'When the new key expires; by default when the old one would have':
    'متى تنتهي صلاحية المفتاح الجديد؛ الافتراضي موعد انتهاء القديم',
  'See which app asks for access': 'عرض التطبيق الذي يطلب الوصول',
  'For the console: an app has sent the browser here by OAuth and asks for access to `/mcp`. A request is there for ten minutes, and only for the browser in which it was made, which has a cookie.':
    'للوحة التحكم: أحال تطبيقٌ المتصفحَ إلى هنا عبر OAuth، وهو يطلب الوصول إلى `/mcp`. يبقى الطلب عشر دقائق، وللمتصفح الذي نشأ فيه وحده، إذ يحمل ملف تعريف ارتباط.',
  'Refuse an app access': 'رفض وصول تطبيق',
  'The app is told that it was refused.': 'يُبلَّغ التطبيق بالرفض.',
  'Where the browser goes now, with the answer for the app': 'وجهة المتصفح الآن، ومعها الإجابة للتطبيق',
  'Grant an app access': 'منح تطبيق الوصول',
  'Makes an API key of kind `app`, which the app uses through tokens at `/mcp` and nobody ever sees. It signs as the caller, and is changed and revoked like any other key. The operator cannot grant access.':
    'ينشئ مفتاح API من النوع `app`، يستخدمه التطبيق برموز لدى `/mcp` ولا يراه أحد أبدًا. يوقّع باسم المستدعي، ويُعدَّل ويُبطَل كأي مفتاح آخر. لا يمنح المشغِّل الوصول.',
  'List the calls of each day': 'عرض استدعاءات كل يوم',
  'The last `days` days in the company’s time zone, oldest first, including days without calls. `by` shows who made them, for what, or how they were answered. That is known a few seconds after a call, and lost for the last calls of a process that was killed.':
    'آخر `days` من الأيام بتوقيت الشركة، الأقدم أولًا، ومنها الأيام التي بلا استدعاءات. يبيّن `by` من أجراها، أو لأي غرض، أو كيف أُجيب عنها. يُعرف ذلك بعد الاستدعاء بثوانٍ، ويضيع لآخر استدعاءات عملية أُنهيت قسرًا.',
  'How to divide the calls of each day': 'كيف تُقسَّم استدعاءات كل يوم',
  'Get what an API key did lately': 'عرض ما فعله مفتاح API مؤخرًا',
  'Its calls of the last `days` days by operation and status, and its latest denials. A call is counted here a few seconds after it was answered.':
    'استدعاءاته في آخر `days` من الأيام حسب العملية ورمز الحالة، وأحدث ما مُنع منها. يُحسب الاستدعاء هنا بعد إجابته بثوانٍ.',
  'See what went wrong with the calls of the API keys': 'معرفة ما أخفق من استدعاءات مفاتيح API',
  'The log of requests: every call of a key that was refused or failed, and every write, newest first. Kept for 7 days, and at most 20,000 for a company. A call appears a second or two after it was answered; when a server is killed, those of its last seconds are lost. Nothing of a body, a header or a query is kept. A filter that cannot be read is 422.':
    'سجل الطلبات: كل استدعاء بمفتاح رُفض أو فشل، وكل عملية كتابة، الأحدث أولًا. يُحفظ 7 أيام، وبحد أقصى 20,000 للشركة. يظهر الاستدعاء بعد إجابته بثانية أو ثانيتين؛ وإذا أُنهي خادم قسرًا ضاعت استدعاءات ثوانيه الأخيرة. لا يُحفظ شيء من المتن ولا من الترويسات ولا من الاستعلام. عامل التصفية الذي تتعذر قراءته يُرد عليه بالرمز 422.',
  'The id of the key that called': 'رقم المفتاح المستخدم',
  'For example `4xx` or `422`': 'مثل `4xx` أو `422`',
  'The `X-Request-Id` of the answer': 'قيمة `X-Request-Id` في الإجابة',
  'Read the audit': 'قراءة سجل التدقيق',
  'Denied calls, everything that was deleted or restored, and changes to the company, its people, tokens, sessions, invitations, memberships and keys. Newest first, kept for 400 days. For each key or person up to 100 denials an hour are kept one by one; any more are counted in a single entry. A filter that cannot be read is 422. With `Accept: text/csv` the answer has every entry that matches, without paging.':
    'الاستدعاءات الممنوعة، وكل ما حُذف أو استُعيد، والتغييرات في الشركة والأشخاص والرموز والجلسات والدعوات والعضويات والمفاتيح. الأحدث أولًا، ويُحفظ 400 يوم. لكل مفتاح أو شخص تُحفظ حتى 100 محاولة ممنوعة في الساعة كل على حدة؛ وما زاد يُجمع في قيد واحد. عامل التصفية الذي تتعذر قراءته يُرد عليه بالرمز 422. مع `Accept: text/csv` تحتوي الإجابة على كل قيد مطابق، بلا تقسيم إلى صفحات.',
  'Read the audit of the service': 'قراءة سجل تدقيق الخدمة',
  'The creation, closing, reopening and removal of companies, and the sessions of the operator. Newest first, kept for 400 days. For each key or person up to 100 denials an hour are kept one by one; any more are counted in a single entry. A filter that cannot be read is 422. With `Accept: text/csv` the answer has every entry that matches, without paging.':
    'إنشاء الشركات وإغلاقها وإعادة فتحها وإزالتها، وجلسات المشغِّل. الأحدث أولًا، ويُحفظ 400 يوم. لكل مفتاح أو شخص تُحفظ حتى 100 محاولة ممنوعة في الساعة كل على حدة؛ وما زاد يُجمع في قيد واحد. عامل التصفية الذي تتعذر قراءته يُرد عليه بالرمز 422. مع `Accept: text/csv` تحتوي الإجابة على كل قيد مطابق، بلا تقسيم إلى صفحات.',
  'Read the timeline': 'قراءة الخط الزمني',
  'See who changed what, and with which key': 'معرفة من غيّر ماذا، وبأي مفتاح',
  'Everything that was created, changed or deleted in the last 30 days, newest first. A filter that cannot be read is 422. `meta.total` counts among the newest 10,000 changes; with more than these, `meta.total_is_lower_bound` is true. A page looks at 10,000 changes at most: with a filter it may have fewer than `limit`, or none, and still a `next_cursor`.':
    'كل ما أُنشئ أو عُدّل أو حُذف في آخر 30 يومًا، الأحدث أولًا. عامل التصفية الذي تتعذر قراءته يُرد عليه بالرمز 422. العدد `meta.total` من بين أحدث 10,000 تغيير؛ وإذا زادت كانت قيمة `meta.total_is_lower_bound` هي `true`. تنظر الصفحة في 10,000 تغيير على الأكثر: قد يكون فيها مع التصفية أقل من `limit`، أو لا شيء، ومع ذلك `next_cursor`.',
  'The id of the key it was done with': 'رقم المفتاح الذي جرى به',
  'The ref of a project, or the slug of one that still exists': 'معرّف مشروع، أو الاسم المختصر لمشروع لم يُحذف',
  'Read notifications': 'قراءة الإشعارات',
  'Newest first. Members see their own; owners, managers and the operator see everyone’s.':
    'الأحدث أولًا. يرى الأعضاء إشعاراتهم؛ ويرى الملّاك والمديرون والمشغِّل إشعارات الجميع.',
  'Read your notifications': 'قراءة إشعاراتك',
  'Newest first, about what you can see.': 'الأحدث أولًا، عما يمكن للقارئ رؤيته.',
  'For people who are signed in, not for the operator.': 'لمن سجّلوا الدخول، لا للمشغِّل.',
  '`true`: only those you have not read': 'القيمة `true`: ما لم تقرأه فقط',
  'Mark notifications as read': 'وضع علامة مقروء على الإشعارات',
  'All of yours up to this one, which is included. Doing it again changes nothing.':
    'كل إشعاراتك حتى هذا الإشعار، وهو مشمول. التكرار لا يغيّر شيئًا.',
  'The id of a notification': 'رقم الإشعار',
  'Read who follows which discussion': 'معرفة من يتابع أي نقاش',
  'Newest first. Who no longer sees a project follows nothing in it.':
    'الأحدث أولًا. من لم يعد يرى مشروعًا لا يتابع فيه شيئًا.',
  'List what can be restored': 'عرض ما يمكن استعادته',
  'Most recently deleted first.': 'الأحدث حذفًا أولًا.',
  'Restore a deleted record': 'استعادة سجل محذوف',
  'The record returns with its ref, its slugs and everything below it. Restoring a discussion is 422 while its project is deleted, and 403 while its project is archived.':
    'يعود السجل بمعرّفه وأسمائه المختصرة وكل ما تحته. استعادة نقاش يُرد عليها بالرمز 422 ما دام مشروعه محذوفًا، وبالرمز 403 ما دام مشروعه مؤرشفًا.',
  'List the projects of a company': 'عرض مشاريع شركة',
  'Newest first, archived ones included. `q` finds projects by name, with the same spelling rules as search.':
    'الأحدث أولًا، ومنها المؤرشفة. يبحث `q` عن المشاريع بالاسم، بقواعد الإملاء نفسها التي في البحث.',
  'Part of the name': 'جزء من الاسم',
  'List the members of a project': 'عرض أعضاء مشروع',
  'Membership matters only while the project is private, but is kept when it becomes public.':
    'لا أثر للعضوية إلا ما دام المشروع خاصًّا، لكنها تبقى إذا صار عامًّا.',
  'Add a member to a project': 'إضافة عضو إلى مشروع',
  'Adding a member again changes nothing.': 'إضافة العضو مرة أخرى لا تغيّر شيئًا.',
  'Remove a member from a project': 'إزالة عضو من مشروع',
  'List connected calendars': 'عرض التقاويم المربوطة',
  'Members see their own; owners, managers and the operator see everyone’s.':
    'يرى الأعضاء تقاويمهم؛ ويرى الملّاك والمديرون والمشغِّل تقاويم الجميع.',
  "Connect a person's calendar": 'ربط تقويم شخص',
  'People connect their own; the operator can connect anybody’s. The person is told. A calendar on a CalDAV server. The connection is tried first: an address that does not answer, is not allowed, is not a calendar or refuses the credentials is 422. The person’s upcoming events are added to it.':
    'يربط كل شخص تقويمه؛ ويمكن للمشغِّل ربط تقويم أي شخص. يُبلَّغ الشخص. التقويم على خادم CalDAV. يُجرَّب الاتصال أولًا: العنوان الذي لا يجيب أو غير المسموح به أو الذي ليس تقويمًا أو يرفض بيانات الاعتماد يُرد عليه بالرمز 422. تُضاف إليه مواعيد الشخص القادمة.',
  'Whose calendar it is; default the caller': 'صاحب التقويم؛ الافتراضي هو المستدعي',
  'The address of the calendar itself, http or https': 'عنوان التقويم نفسه، `http` أو `https`',
  'Stored encrypted and never shown': 'تُحفظ مشفّرة ولا تظهر أبدًا',
  'Change the credentials of a connection': 'تغيير بيانات الاعتماد لتقويم مربوط',
  'The new credentials are tried first: if the calendar refuses them, the answer is 422 and the old ones stay. Changes that could not be sent in the meantime follow at once.':
    'تُجرَّب البيانات الجديدة أولًا: إذا رفضها التقويم كان الرد 422 وبقيت القديمة. تتبعها فورًا التغييرات التي تعذّر إرسالها في الأثناء.',
  'Disconnect a calendar': 'فصل تقويم',
  'Leaders can disconnect the calendars of others too. The person is told. The credentials are deleted at once, so events that are already in the calendar stay there. If the same person connects the same calendar again, it is brought up to date.':
    'يمكن للملّاك والمديرين فصل تقاويم غيرهم أيضًا. يُبلَّغ الشخص. تُحذف بيانات الاعتماد فورًا، فتبقى المواعيد التي في التقويم مكانها. وإذا رُبط التقويم نفسه للشخص نفسه من جديد جرى تحديثه.',
  'List webhooks': 'عرض خطافات الويب',
  'Create a webhook': 'إنشاء خطاف ويب',
  'It receives changes from now on. The secret is shown in this answer and never again. A company can have 10 webhooks; one more is 422.':
    'يتلقى التغييرات من الآن فصاعدًا. يظهر السر في هذه الإجابة ولا يظهر بعدها أبدًا. للشركة 10 خطافات على الأكثر؛ وما زاد يُرد عليه بالرمز 422.',
  'https, with any path and query': 'رابط `https`، بأي مسار واستعلام',
  'Which changes are sent: `task.completed`, `task.*` for every change of a kind, `*` for all':
    'التغييرات التي تُرسل: `task.completed`، أو `task.*` لكل تغييرات النوع، أو `*` للتغييرات كلها',
  'The ref of a project, to receive its changes only; null or omitted for all projects':
    'معرّف مشروع، لتلقي تغييراته وحدها؛ `null` أو الحذف للمشاريع كلها',
  'Get a webhook': 'عرض خطاف ويب',
  'Update a webhook': 'تعديل خطاف ويب',
  'A webhook that is switched on again receives the deliveries that were waiting when it was switched off, and changes from then on.':
    'الخطاف الذي يُعاد تشغيله يتلقى عمليات التسليم التي كانت تنتظر عند إيقافه، والتغييرات منذ ذلك الحين.',
  'Delete a webhook': 'حذف خطاف ويب',
  'Permanently, with its log. Deliveries that are waiting are not sent.':
    'حذف نهائي يشمل سجله. لا تُرسل عمليات التسليم المنتظرة.',
  'Rotate the secret of a webhook': 'تجديد سر خطاف ويب',
  'The new secret is shown in this answer and never again. For 24 hours, messages are signed with both the old and the new secret.':
    'يظهر السر الجديد في هذه الإجابة ولا يظهر بعدها أبدًا. تُوقَّع الرسائل 24 ساعة بالسرّين القديم والجديد معًا.',
  'Send a test message': 'إرسال رسالة اختبار',
  'Sends a `ping` and returns what the receiver answered, within 15 seconds. It also works while the webhook is switched off, and is not logged.':
    'يرسل `ping` ويعيد ما أجاب به المستقبِل، خلال 15 ثانية. يعمل أيضًا والخطاف متوقف، ولا يُسجَّل.',
  'List the deliveries of a webhook': 'عرض عمليات التسليم لخطاف ويب',
  'Newest first. Deliveries are kept for 30 days. `state` selects deliveries in one state; `retrying` selects those that are pending because an attempt has failed.':
    'الأحدث أولًا. تُحفظ عمليات التسليم 30 يومًا. يختار `state` ما كان منها في حالة واحدة؛ ويختار `retrying` ما ينتظر لأن محاولة له فشلت.',
  'Get a delivery of a webhook': 'عرض عملية تسليم لخطاف ويب',
  'List the attempts of a delivery': 'عرض محاولات عملية تسليم',
  'What was sent each time, as it was sent, and what came back, newest first. The last ten attempts of a delivery are kept, replays included, for 7 days.':
    'ما أُرسل كل مرة كما أُرسل، وما عاد من المستقبِل، الأحدث أولًا. تُحفظ آخر عشر محاولات لعملية التسليم، ومنها الإعادات، 7 أيام.',
  'Send a delivery again': 'إعادة عملية تسليم',
  'Under the same `webhook-id`, starting over with the first attempt, and with the record as it is then.':
    'بقيمة `webhook-id` نفسها، بدءًا من المحاولة الأولى، وبالسجل كما يكون عندئذ.',
  'Send recent deliveries again': 'إعادة عمليات التسليم الأخيرة',
  'The deliveries of changes since a point in time, or only those that failed or are being retried, which then start over at once. Deliveries that still wait for their first attempt are left as they are. More than 10,000 at once is 422.':
    'عمليات تسليم التغييرات منذ وقت معيّن، أو ما فشل منها وما تُعاد محاولته فقط، وتبدأ هذه من جديد فورًا. وما ينتظر محاولته الأولى يُترك كما هو. أكثر من 10,000 دفعة واحدة يُرد عليه بالرمز 422.',
  'When the changes to send again begin: ISO 8601; without an offset, in the company zone':
    'بداية التغييرات التي تُرسل من جديد: بصيغة ISO 8601؛ وبلا فارق زمني تُفهم بتوقيت الشركة',
  'Send only deliveries again that failed or are being retried; default false':
    'إعادة ما فشل وما تُعاد محاولته فقط؛ الافتراضي `false`',
  'How many deliveries are sent again': 'عدد عمليات التسليم التي تُرسل من جديد',
  'Set the category of a discussion': 'تحديد تصنيف نقاش',
  'List files with their virus scan results': 'عرض الملفات مع نتائج فحص الفيروسات',
  'Newest first. `scan_state` selects files in one state.':
    'الأحدث أولًا. يختار `scan_state` الملفات التي في حالة واحدة.',
  'Scan a file again': 'إعادة فحص ملف',
  'The file cannot be downloaded until the scan is done. An infected file cannot be scanned again, because its content has been removed.':
    'لا يمكن تنزيل الملف إلى أن ينتهي الفحص. لا يُعاد فحص ملف مصاب، لأن محتواه أُزيل.',
  'List failed jobs': 'عرض الأعمال الفاشلة',
  'Jobs whose every attempt failed, newest first. They are kept for 30 days.':
    'الأعمال التي فشلت كل محاولاتها، الأحدث أولًا. تُحفظ 30 يومًا.',
  'Run a failed job again': 'تشغيل عمل فاشل من جديد',
  'Give up a failed job': 'تجاهل عمل فاشل',
  'It is gone from the list and will not be done.': 'يختفي من القائمة ولا يُنجَز.',
  'Get the health of each part': 'عرض حالة كل جزء',
  'Each part is checked when you ask, for two seconds at most; an answer may be three seconds old. It is that of the node that you reach.':
    'يُفحص كل جزء عند الطلب، ثانيتين على الأكثر؛ وقد يكون عمر الإجابة ثلاث ثوانٍ. وهي حالة العقدة التي يصل إليها الطلب.',
  'Get live figures': 'عرض المؤشرات الحية',
  'Requests, latency, connections, memory and delays of the last `minutes` minutes in steps of 10 seconds, oldest first, of the node that answers. They begin anew when it starts.':
    'الطلبات وزمن الاستجابة والاتصالات والذاكرة والتأخير في آخر `minutes` من الدقائق بخطوات من 10 ثوانٍ، الأقدم أولًا، للعقدة التي تجيب. تبدأ من جديد عند تشغيلها.',
  'For owners and managers, not for the operator.': 'للملّاك والمديرين، لا للمشغِّل.',
  'For owners and managers, not for the operator. Kept in the audit.':
    'للملّاك والمديرين، لا للمشغِّل. يُقيَّد في سجل التدقيق.',
  'For people who are signed in, not for the operator. Kept in the audit.':
    'لمن سجّلوا الدخول، لا للمشغِّل. يُقيَّد في سجل التدقيق.',
  'List the tasks that are assigned to you': 'عرض المهام المكلَّف بها',
  'Across all projects that you see and that are not archived, with the filters of the other lists of tasks.':
    'في كل المشاريع غير المؤرشفة التي تراها، بعوامل التصفية نفسها التي في قوائم المهام الأخرى.',
  'Find out what you may do with a record': 'معرفة ما يُسمح لك به في سجل',
  'Whether you may delete a task, a task list, a discussion or a file, and which of its comments you may edit: nobody is offered what would be refused. Nothing can be done in an archived project or with a read-only subscription.':
    'هل يُسمح لك بحذف مهمة أو قائمة مهام أو نقاش أو ملف، وأي تعليقاته يُسمح لك بتعديلها: لا يُعرض على أحد ما سيُرفض. لا يُسمح بشيء في مشروع مؤرشف، ولا مع اشتراك للقراءة فقط.',
  'The ref of a task, a task list, a discussion or a file; required': 'معرّف مهمة أو قائمة مهام أو نقاش أو ملف؛ مطلوب',
  'Ids of comments on it: which of them may you edit?': 'أرقام تعليقات عليه: أي منها يُسمح لك بتعديلها؟',
  'List your events that take place in a period': 'عرض مواعيدك في مدة معيّنة',
  'As in a calendar: also those that start before the period and reach into it, which `GET /events` leaves out. Without `from` and `to`, what goes on today or is still to come.':
    'كما في التقويم: ومنها ما يبدأ قبل المدة ويمتد إليها، وهو ما لا يشمله `GET /events`. من دون `from` و`to`، ما يجري اليوم أو لم يأتِ بعد.',
  'ISO 8601 date or time; lower bound on the end, included':
    'تاريخ أو وقت بصيغة ISO 8601؛ أول ما تُقبل به النهاية، وهو مشمول',
  'See what changed today': 'معرفة ما تغيّر اليوم',
  "What was done today, in the company's time zone, in projects that you see, by whom and to how many records; the latest first. Among the latest 2,000 changes of the company, and at most 12 entries.":
    'ما جرى اليوم، بتوقيت الشركة، في المشاريع التي تراها، ومن أجراه، وفي كم سجلًا؛ الأحدث أولًا. من بين أحدث 2,000 تغيير في الشركة، وبحد أقصى 12 قيدًا.',
}
