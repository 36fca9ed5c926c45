/** What the answers of the administration have in them, and how its addresses name things. */
export const ADMINISTRATION_PARTS: Record<string, string> = {
  'The operator token, or a personal access token: `svc_…`': 'رمز المشغِّل، أو رمز وصول شخصي يبدأ بـ`svc_…`',
  'A session of the console. Every request but a GET must carry `X-Diwan-Console: 1` too.':
    'جلسة للوحة التحكم. يجب أن يحمل كل طلب غير `GET` الترويسة `X-Diwan-Console: 1` أيضًا.',
  'Whether the API is switched on; the plan must include it too': 'هل فُعّلت API؛ ويجب أن تشملها الباقة أيضًا',
  'How many notifications you have not read; 0 for the operator': 'عدد الإشعارات التي لم تقرأها؛ 0 للمشغِّل',
  'The endpoints of the administration that the caller may call in their own company, by name':
    'نقاط اتصال الإدارة التي يُسمح للمستدعي باستدعائها في شركته، بأسمائها',
  '12 hours after it began': 'بعد 12 ساعة من بدايتها',
  'When it ends unless it is used before': 'متى تنتهي ما لم تُستخدم قبل ذلك',
  'The session of the console that the request came with; null with a token':
    'جلسة لوحة التحكم التي جاء بها الطلب؛ `null` مع رمز وصول',
  'The words on the button': 'الكلمات التي على الزر',
  'Where a browser begins to sign in': 'حيث يبدأ المتصفح تسجيل الدخول',
  'Whether `require_oidc` of a company has an effect': 'هل لقيمة `require_oidc` في الشركات أثر',
  'Null when none is set up': '`null` إذا لم يُعَدّ موفّر',
  'Whether the provider has verified the address': 'هل وثّق الموفّر العنوان',
  'Whom the identity provider has just signed in in this browser; null for nobody':
    'من سجّل دخوله للتو عبر موفّر الهوية في هذا المتصفح؛ `null` إن لم يوجد',
  'The people that this may be, one in each company at most: choose with `POST /sessions`':
    'الأشخاص الذين قد يعود إليهم هذا الحساب، واحد في كل شركة على الأكثر: يُختار منهم بـ`POST /sessions`',
  'To the minute': 'بدقة الدقيقة',
  'What the browser says that it is': 'ما يقوله المتصفح عن نفسه',
  'The address from which it was begun': 'العنوان الذي بدأت منه',
  'The token it was begun with; null for the operator and with the identity provider':
    'رمز الوصول الذي بدأت به؛ `null` للمشغِّل ومع موفّر الهوية',
  'The link with the identity provider, if it was begun there': 'الربط بموفّر الهوية، إن بدأت عنده',
  'True for the session that this request came with': '`true` للجلسة التي جاء بها هذا الطلب',
  'What keys can be allowed to do': 'ما يمكن السماح به للمفاتيح',
  'What a new key gets when nothing else is said': 'ما يحصل عليه المفتاح الجديد إذا لم يُحدَّد غيره',
  'Whether the plan includes the API': 'هل تشمل الباقة API',
  'Calls a day; null where `daily_calls` of the company says':
    'الاستدعاءات في اليوم؛ `null` حيث يحددها `daily_calls` في الشركة',
  'What webhooks can be told of: a kind and a change make `task.completed`':
    'ما يمكن إبلاغ خطافات الويب به: من نوع وتغيير يتكون `task.completed`',
  'What an entry of the audit can be about: those of keys and those of the administration':
    'ما يمكن أن يكون القيد في سجل التدقيق عنه: أعمال المفاتيح وأعمال الإدارة',
  'The fields whose changes the audit keeps': 'الحقول التي يحفظ سجل التدقيق تغييراتها',
  'The language of mail to people who have not chosen one': 'لغة بريد من لم يختاروا لغة',
  'Whether its people must sign in to the console with the identity provider':
    'هل يجب على الأشخاص فيها تسجيل الدخول إلى لوحة التحكم عبر موفّر الهوية',
  'When it was closed; 30 days later it is removed': 'متى أُغلقت؛ تُزال بعد ذلك بـ30 يومًا',
  'The cell that it has moved to and that serves it; it is closed here (since 1.7.0)':
    'الخلية التي انتقلت إليها وتخدمها الآن؛ وهي مغلقة هنا (منذ 1.7.0)',
  'The cell that it lives in, where there are several (since 1.7.0)':
    'الخلية التي فيها الشركة، إن كانت الخلايا عدة (منذ 1.7.0)',
  'The cells that did not answer: their companies are missing. Absent where there are no cells (since 1.7.0)':
    'الخلايا التي لم تستجب، وشركاتها غير مذكورة. لا يظهر حيث لا توجد خلايا (منذ 1.7.0)',
  'Whether it is the sandbox of another company (since 1.7.0)': 'هل هي بيئة تجريبية لشركة أخرى (منذ 1.7.0)',
  'The company that it is the sandbox of (since 1.7.0)': 'الشركة التي هي بيئتها التجريبية (منذ 1.7.0)',
  'Its open sandbox, if it has one (since 1.7.0)': 'بيئتها التجريبية المفتوحة، إن وُجدت (منذ 1.7.0)',
  'Keys that are neither revoked nor expired': 'المفاتيح التي لم تُبطل ولم تنتهِ صلاحيتها',
  'API calls since midnight in the company zone': 'استدعاءات API منذ منتصف الليل بتوقيت الشركة',
  "The owner's personal access token, shown once": 'رمز الوصول الشخصي للمالك، يظهر مرة واحدة',
  "The owner's personal access token in the sandbox, shown once":
    'رمز الوصول الشخصي للمالك في البيئة التجريبية، يظهر مرة واحدة',
  'An API key of the sandbox with write access, shown once':
    'مفتاح API للبيئة التجريبية بمستوى الكتابة، يظهر مرة واحدة',
  'Active people': 'الأشخاص النشطون',
  'Those that expire within 14 days and have not been replaced (since 1.7.0)':
    'ما تنتهي صلاحيته خلال 14 يومًا ولم يُجدَّد (منذ 1.7.0)',
  'Denied calls of the last 24 hours, as the audit counts them (since 1.7.0)':
    'الاستدعاءات الممنوعة في آخر 24 ساعة، كما يعدّها سجل التدقيق (منذ 1.7.0)',
  'Projects that are not archived': 'المشاريع غير المؤرشفة',
  'Open tasks in projects that are not archived': 'المهام المفتوحة في المشاريع غير المؤرشفة',
  'Those that were due before today in the company zone': 'ما كان استحقاقه قبل اليوم بتوقيت الشركة',
  'Files and links by the state of their virus scan': 'الملفات والروابط حسب حالة فحص الفيروسات',
  'Webhooks that are switched on and fail at the moment': 'خطافات الويب المشغَّلة التي تفشل الآن',
  'Webhooks that Diwan has switched off because they failed (since 1.7.0)':
    'خطافات الويب التي أوقفها ديوان لأنها فشلت (منذ 1.7.0)',
  'Deleted projects and discussions that can be restored': 'المشاريع والنقاشات المحذوفة التي يمكن استعادتها',
  'A count of 10,000 means that there are at least so many.': 'العدد 10,000 يعني أنها لا تقل عن ذلك.',
  'The language of the person’s mail': 'لغة بريد الشخص',
  'When the person was first given a token; null until then (since 1.7.0)':
    'متى حصل الشخص على أول رمز وصول؛ `null` قبل ذلك (منذ 1.7.0)',
  'Whether the person can sign in, with a token or a linked account of the identity provider: somebody who was invited can from the acceptance on (since 1.7.0)':
    'هل يمكن للشخص تسجيل الدخول، برمز وصول أو بأحد الحسابات المرتبطة لدى موفّر الهوية: يمكن ذلك لمن دُعي منذ قبول الدعوة (منذ 1.7.0)',
  'While the person has no token: when the latest invitation expires, or has expired. Null when there is none (since 1.7.0)':
    'ما دام الشخص بلا رمز وصول: متى تنتهي صلاحية أحدث دعوة، أو متى انتهت. `null` إن لم توجد دعوة (منذ 1.7.0)',
  'Valid once, for seven days, and shown once. Null when it is sent to the person by mail only.':
    'صالح مرة واحدة، سبعة أيام، ويظهر مرة واحدة. `null` إذا أُرسل إلى الشخص بالبريد فقط.',
  'Shown once': 'يظهر مرة واحدة',
  'The identity provider': 'موفّر الهوية',
  'Its name for the account': 'اسم الحساب لديه',
  'As it was told at the last sign-in': 'كما ورد عند آخر تسجيل دخول',
  'The last sign-in': 'آخر تسجيل دخول',
  '`app` for the key of an app that was connected by OAuth (since 1.7.0)':
    'القيمة `app` لمفتاح تطبيق رُبط عبر OAuth (منذ 1.7.0)',
  'Where the app is at home (since 1.7.0)': 'موقع التطبيق (منذ 1.7.0)',
  'The key that was rotated to make this one (since 1.7.0)': 'المفتاح الذي جُدّد فنشأ هذا منه (منذ 1.7.0)',
  'The newest key that a rotation of this one made (since 1.7.0)': 'أحدث مفتاح نشأ من تجديد هذا (منذ 1.7.0)',
  'The key itself, shown once': 'المفتاح نفسه، يظهر مرة واحدة',
  'What the app calls itself. Nobody has checked it.': 'ما يسمّي به التطبيق نفسه. لم يتحقق منه أحد.',
  'Where the app is at home': 'موقع التطبيق',
  'The host, or the scheme of a program, that the answer goes to': 'المضيف، أو مخطط البرنامج، الذي تذهب إليه الإجابة',
  'Whether that is a program on the machine of the person': 'هل هو برنامج على جهاز الشخص',
  'Until when it can be answered': 'إلى متى يمكن الرد عليه',
  'HTTP status; 499 when the client left before it was answered': 'رمز حالة HTTP؛ 499 إذا غادر العميل قبل الإجابة',
  'A day in the company zone': 'يوم بتوقيت الشركة',
  'The allowance of that day, today’s for a day without calls; null is unlimited':
    'حصة ذلك اليوم، وحصة هذا اليوم ليوم بلا استدعاءات؛ `null` بلا حد',
  'With `by` only: the calls of the day by key, operation or status, most calls first. They add up to `calls`; calls that are not attributed (yet) have null.':
    'مع `by` فقط: استدعاءات اليوم حسب المفتاح أو العملية أو رمز الحالة، الأكثر استدعاءات أولًا. مجموعها `calls`؛ وما لم يُنسب (بعد) قيمته `null`.',
  'Calls left today; null is unlimited': 'الاستدعاءات المتبقية اليوم؛ `null` بلا حد',
  'When the next day begins in the company zone': 'متى يبدأ اليوم التالي بتوقيت الشركة',
  'Calls expected by the end of today, which may be more than the allowance: the calls made so far, plus the average number of calls that the last seven days had from this time of day on, scaled by how today compares with those days so far. In the first days of a company it is today’s pace carried on; null while too little is known.':
    'الاستدعاءات المتوقعة حتى نهاية اليوم، وقد تزيد على الحصة: ما جرى منها حتى الآن، ومتوسط ما جرى في الأيام السبعة الماضية من هذا الوقت من اليوم فصاعدًا، مضروبًا في نسبة هذا اليوم إلى تلك الأيام حتى الآن. في الأيام الأولى للشركة هي وتيرة اليوم ممتدة إلى آخره؛ و`null` ما دام المعروف قليلًا.',
  'The first day, in the company zone': 'اليوم الأول، بتوقيت الشركة',
  Today: 'هذا اليوم',
  'Every day, oldest first': 'كل الأيام، الأقدم أولًا',
  'The calls by operation and status, most calls first. Status 499: the client left before it was answered':
    'الاستدعاءات حسب العملية ورمز الحالة، الأكثر استدعاءات أولًا. الرمز 499: غادر العميل قبل الإجابة',
  'The id of the entry in the audit': 'رقم القيد في سجل التدقيق',
  'The last 20 denials in these days, newest first; all of them are in the audit':
    'آخر 20 محاولة ممنوعة في هذه الأيام، الأحدث أولًا؛ وكلها في سجل التدقيق',
  'Its trace; null where traces are not recorded': 'التتبّع الخاص به؛ `null` حيث لا تُسجَّل التتبّعات',
  'When it was answered': 'متى أُجيب عنه',
  'The key that called': 'المفتاح الذي استُدعي به',
  'Without the query': 'بلا الاستعلام',
  'Null for a request to `/mcp` that was refused itself': '`null` لطلب إلى `/mcp` رُفض هو نفسه',
  'Status 499: the client left before it was answered': 'الرمز 499: غادر العميل قبل الإجابة',
  'The code of the error; null for a success and for the burst throttle':
    'رمز الخطأ؛ `null` عند النجاح وعند تجاوز حد الطلبات في الدقيقة',
  'What the caller was told; values that it quotes are cut at 100 characters':
    'ما قيل للمستدعي؛ تُقطع القيم المقتبسة فيه عند 100 حرف',
  'How long it took, in milliseconds': 'كم استغرق، بالمللي ثانية',
  'Of the key or the person; null for the operator': 'رقم المفتاح أو الشخص؛ `null` للمشغِّل',
  'As it was then': 'كما كان عندئذ',
  'The name of the person behind it: the creator of the key, the person, or the operator':
    'اسم الشخص الذي وراءه: منشئ المفتاح، أو الشخص، أو المشغِّل',
  'The key that did it': 'المفتاح الذي جرى به',
  'The ref, or the id of what has none': 'المعرّف، أو الرقم لما لا معرّف له',
  'The record that was changed; null for a denial': 'السجل الذي تغيّر؛ `null` لمحاولة ممنوعة',
  'The fields that changed. A value is null where it is not kept: only roles, grants, plans, flags, allowances, the subscription, the time zone, rights, operations and access are.':
    'الحقول التي تغيّرت. القيمة `null` حيث لا تُحفظ: لا يُحفظ إلا الأدوار والمِنح والباقات والتفعيل والحصص والاشتراك والمنطقة الزمنية والصلاحيات والعمليات ومستوى الوصول.',
  'How many denials the entry stands for: 1, except in the entry that counts those beyond 100 in an hour':
    'عدد المحاولات الممنوعة التي يمثلها القيد: 1، إلا في القيد الذي يعدّ ما زاد على 100 في الساعة',
  'The ref of the record': 'معرّف السجل',
  'As it is now; null if the record no longer exists. For a comment, the title of what it is about.':
    'كما هو الآن؛ `null` إذا لم يعد السجل موجودًا. وللتعليق عنوان ما هو عليه.',
  'The name of the person behind it: the creator of the key, or the person; null if the service did it':
    'اسم الشخص الذي وراءه: منشئ المفتاح، أو الشخص؛ `null` إذا أجرته الخدمة',
  'The key it was done with; null without one': 'المفتاح الذي جرى به؛ `null` بلا مفتاح',
  'When the person marked it as read': 'متى وُضعت عليه علامة مقروء',
  'The `prj-` ref; null for what is in no project': 'المعرّف الذي يبدأ بـ`prj-`؛ `null` لما ليس في مشروع',
  'Who did it': 'من أجراه',
  'How many are left': 'كم بقي',
  'The ref': 'المعرّف',
  'The id of the person': 'رقم الشخص',
  '`failing` when nothing could be sent for more than 24 hours':
    'القيمة `failing` إذا تعذّر إرسال أي شيء أكثر من 24 ساعة',
  'Since when nothing could be sent; null if the last attempt succeeded':
    'منذ متى تعذّر إرسال أي شيء؛ `null` إذا نجحت آخر محاولة',
  'Why the last attempt failed; null if it succeeded': 'لماذا فشلت آخر محاولة؛ `null` إذا نجحت',
  'The `prj-` ref of the project whose changes it receives; null for all projects':
    'معرّف المشروع الذي يتلقى تغييراته، ويبدأ بـ`prj-`؛ `null` للمشاريع كلها',
  'False while it is switched off and nothing is sent': '`false` ما دام متوقفًا ولا يُرسل شيء',
  'The first failure since the last successful delivery; null when there is none':
    'أول فشل منذ آخر تسليم ناجح؛ `null` إن لم يوجد',
  'When Diwan switched it off by itself': 'متى أوقفه ديوان من تلقاء نفسه',
  '`failing`: every delivery failed for 5 days; `gone`: the receiver answered 410':
    'القيمة `failing`: فشلت كل عمليات التسليم 5 أيام؛ والقيمة `gone`: ردّ المستقبِل بالرمز 410',
  'Messages are signed with it; shown once': 'تُوقَّع به الرسائل؛ يظهر مرة واحدة',
  'True when the receiver answered 2xx': '`true` إذا ردّ المستقبِل برمز `2xx`',
  'Null when there was no answer': '`null` إذا لم يصل رد',
  'Why it failed, as in the log; null if it succeeded': 'لماذا فشل، كما في السجل؛ `null` إذا نجح',
  'The first kilobyte of the answer': 'أول كيلوبايت من الرد',
  'The `webhook-id` of every attempt, replays included': 'قيمة `webhook-id` لكل محاولة، ومنها الإعادات',
  'What happened: `task.completed`': 'ما حدث: `task.completed`',
  'Attempts since it was created or last replayed': 'المحاولات منذ الإنشاء أو منذ آخر إعادة',
  'The status of the last answer; null when there was none': 'رمز الحالة لآخر رد؛ `null` إن لم يصل رد',
  'How long the last attempt took, in milliseconds': 'كم استغرقت آخر محاولة، بالمللي ثانية',
  'The first kilobyte of the last answer': 'أول كيلوبايت من آخر رد',
  'When it was answered or given up': 'متى وصل الرد أو تُركت المحاولة',
  'The status of the answer; null when there was none': 'رمز الحالة للرد؛ `null` إن لم يصل رد',
  'Why it failed; null if it succeeded': 'لماذا فشلت؛ `null` إذا نجحت',
  'The URL that the webhook had then': 'الرابط الذي كان للخطاف عندئذ',
  'Byte for byte what was signed': 'ما وُقّع بالضبط، بايتًا بايتًا',
  'What was sent; null when nothing could be, because the secret cannot be read any more':
    'ما أُرسل؛ `null` إذا تعذّر إرسال شيء لأن السر لم تعد قراءته ممكنة',
  'The scan engine and its rules': 'محرك الفحص وقواعده',
  'What the scan found, or what prevented it': 'ما وجده الفحص، أو ما منعه',
  'What was to be done and why it failed, in a sentence for people':
    'ما كان ينبغي إنجازه ولماذا فشل، في جملة يقرؤها الناس',
  'The error of the last attempt': 'خطأ آخر محاولة',
  '`degraded` works with limits; `off` is not set up': 'القيمة `degraded`: يعمل بحدود؛ والقيمة `off`: غير مُعَدّ',
  'When this process first saw it in this state; it looks once a minute and when asked':
    'متى رأته هذه العملية في هذه الحالة أول مرة؛ تنظر مرة كل دقيقة وعند الطلب',
  'What to do about it; null when there is nothing to do': 'ما ينبغي فعله؛ `null` إن لم يكن هناك ما يُفعل',
  'The host name of the node that answers': 'اسم المضيف للعقدة التي تجيب',
  'For how long the oldest change that is committed has not been shown in the feed, because a transaction that began before it is still open; 0 when all are shown. Null while the database does not answer':
    'منذ متى لم يظهر في السجل أقدم تغيير محفوظ، لأن معاملة بدأت قبله ما زالت مفتوحة؛ 0 إذا ظهرت كلها. `null` ما دامت قاعدة البيانات لا تجيب',
  'The end of the step': 'نهاية الخطوة',
  '50 % of the requests took no longer, as far as the metrics tell; null without requests':
    'لم يستغرق 50 % من الطلبات أكثر من ذلك، بقدر ما تدل المقاييس؛ `null` بلا طلبات',
  '95 % of the requests took no longer, as far as the metrics tell; null without requests':
    'لم يستغرق 95 % من الطلبات أكثر من ذلك، بقدر ما تدل المقاييس؛ `null` بلا طلبات',
  '99 % of the requests took no longer, as far as the metrics tell; null without requests':
    'لم يستغرق 99 % من الطلبات أكثر من ذلك، بقدر ما تدل المقاييس؛ `null` بلا طلبات',
  'Connections open at the end of the step': 'الاتصالات المفتوحة في نهاية الخطوة',
  'Memory of the process': 'ذاكرة العملية',
  'How late timers were, at the 99th percentile': 'تأخر المؤقتات، عند المئين 99',
  'Null when the database did not answer': '`null` إذا لم تجب قاعدة البيانات',
  'Whether you may delete it': 'هل يُسمح لك بحذفه',
  'Of the comments that you asked about: those that you may edit':
    'من التعليقات التي ورد السؤال عنها: ما يُسمح لك بتعديله',
  'How many records this was done to': 'عدد السجلات التي جرى فيها ذلك',
  'Who did it; null if the service did': 'من أجراه؛ `null` إذا أجرته الخدمة',
  'As it is now; null if it no longer exists. For a comment, of what it is about.':
    'كما هو الآن؛ `null` إذا لم يعد موجودًا. وللتعليق ما هو عليه.',
  'The last of them': 'آخرها',
  'The id of the session': 'رقم الجلسة',
  'The id of the company': 'رقم الشركة',
  'The id of the key': 'رقم المفتاح',
  'The id of what an app asks for': 'رقم ما يطلبه التطبيق',
  'For example `keys:write`': 'مثل `keys:write`',
  'Whether a key, a person or the operator did it': 'هل أجراه مفتاح أو شخص أو المشغِّل',
  'The id of the key or person who did it': 'رقم المفتاح أو الشخص الذي أجراه',
  'The id of the key that did it': 'رقم المفتاح الذي أجراه',
  'The ref or id of the record that was changed': 'معرّف السجل الذي تغيّر أو رقمه',
  'The id of the connection': 'رقم الربط',
  'The id of the webhook': 'رقم خطاف الويب',
  'The id of the delivery': 'رقم عملية التسليم',
  'The id of the job': 'رقم العمل',
  'Too many failed sign-ins; `error` is a plain string': 'إخفاقات كثيرة في تسجيل الدخول؛ يكون `error` نصًّا عاديًّا',
}
