/** What is reported about parts, jobs and calls: sentences and parts of sentences, in English and in Arabic. */
export const REPORTS = {
  // The condition of a part, and what to do about it.
  'Reads and writes.': 'تقرأ وتكتب.',
  'Check that the database runs, accepts writes and has disk space, and that DATABASE_URL is right.':
    'يُرجى التأكد من أن قاعدة البيانات تعمل وتقبل الكتابة ولديها مساحة على القرص، ومن صحة DATABASE_URL.',
  'Answers reads, and has replayed all that is written.': 'تجيب عن القراءات، وطبّقت كل ما كُتب.',
  'Not set up: the primary answers all reads.': 'غير مُعَدّة: يجيب الخادم الأساسي عن كل القراءات.',
  'Set DATABASE_REPLICA_URL to have a replica answer pages and searches.':
    'بعد ضبط DATABASE_REPLICA_URL تجيب النسخة التابعة عن الصفحات وعمليات البحث.',
  'The replica has replayed nothing yet: the primary answers all reads.':
    'لم تطبّق النسخة التابعة شيئًا بعد: يجيب الخادم الأساسي عن كل القراءات.',
  'The replica is behind by {seconds} seconds: the primary answers reads that it cannot.':
    'تتأخر النسخة التابعة {seconds}: يجيب الخادم الأساسي عما يتعذر عليها.',
  'Check that the replica runs, follows the primary and keeps up, and that DATABASE_REPLICA_URL is right. Until then the primary answers all reads.':
    'يُرجى التأكد من أن النسخة التابعة تعمل وتتبع الخادم الأساسي ولا تتأخر عنه، ومن صحة DATABASE_REPLICA_URL. إلى ذلك الحين يجيب الخادم الأساسي عن كل القراءات.',
  'The nodes count bursts together.': 'تعدّ الخوادم دفعات الطلبات معًا.',
  'Not set up: this node counts bursts by itself.': 'غير مُعَدّ: يعدّ هذا الخادم دفعات الطلبات وحده.',
  'With several nodes, set REDIS_URL to have them count together.': 'إن تعددت الخوادم فضبط REDIS_URL يجعلها تعدّ معًا.',
  'Bursts are not throttled.': 'دفعات الطلبات بلا حد.',
  'Set BURST_PER_MINUTE to throttle them.': 'يمكن الحد منها بضبط BURST_PER_MINUTE.',
  'Redis does not answer: each node counts bursts by itself.': 'لا يجيب Redis: يعدّ كل خادم دفعات الطلبات وحده.',
  'Check that Redis runs and that REDIS_URL is right. It is used again as soon as it answers.':
    'يُرجى التأكد من أن Redis يعمل ومن صحة REDIS_URL. يُستخدم من جديد فور أن يجيب.',
  '{program}, built-in rules': '{program} بالقواعد المضمَّنة',
  "{program}, built-in rules and {count} of the operator's files":
    '{program} بالقواعد المضمَّنة، وملفات للمشغِّل عددها {count}',
  '{engine} answers.': 'يجيب {engine}.',
  '{engine}; scanning at the moment.': '{engine}؛ يجري فحص الآن.',
  '{engine}; at rest until the next file.': '{engine}؛ في وضع الراحة حتى الملف التالي.',
  'This process scans nothing: the workers scan uploads with their built-in rules.':
    'لا تفحص هذه العملية شيئًا: تفحص workers الملفات المرفوعة بقواعدها المضمَّنة.',
  'Make sure that a worker runs.': 'يُرجى التأكد من تشغيل worker.',
  'Check that clamd runs and that CLAMD_URL is right. Uploads wait to be scanned until it answers.':
    'يُرجى التأكد من أن clamd يعمل ومن صحة CLAMD_URL. تنتظر الملفات المرفوعة فحصها حتى يجيب.',
  'Correct or remove the rules in the folder yara-rules of DATA_DIR: no worker starts with them.':
    'يلزم تصحيح القواعد التي في المجلد yara-rules من DATA_DIR أو إزالتها: لا يبدأ worker بوجودها.',
  'The mail server answers.': 'يجيب خادم البريد.',
  'Not set up: notifications are stored but not mailed.': 'غير مُعَدّ: تُحفظ الإشعارات ولا تُرسل بالبريد.',
  'Set SMTP_URL and MAIL_FROM to have them mailed.': 'تُرسل بالبريد بعد ضبط SMTP_URL وMAIL_FROM.',
  'Check that the mail server runs and that SMTP_URL is right. Mails wait and are tried again.':
    'يُرجى التأكد من أن خادم البريد يعمل ومن صحة SMTP_URL. تنتظر الرسائل وتُعاد محاولة إرسالها.',
  'The identity provider answers.': 'موفّر الهوية يستجيب.',
  'Not set up: people sign in to the console with tokens.': 'غير مُعَدّ: يسجّل الأفراد دخول لوحة التحكم برموز الوصول.',
  'Set OIDC_ISSUER and what belongs to it to have them sign in with your identity provider.':
    'بعد ضبط OIDC_ISSUER وما يتبعه يسجّلون الدخول عبر موفّر الهوية لديكم.',
  'Check that the identity provider runs and that OIDC_ISSUER is right. Until it answers, people sign in with tokens.':
    'يُرجى التأكد من أن موفّر الهوية يعمل ومن صحة OIDC_ISSUER. يسجّل الأفراد الدخول برموز الوصول إلى أن يستجيب.',
  '{waiting} waiting, {failed} failed.': 'في الانتظار: {waiting}، والفاشلة: {failed}.',
  '{waiting} waiting, {failed} failed. The oldest has been due for {minutes} minutes.':
    'في الانتظار: {waiting}، والفاشلة: {failed}. تأخر أقدمها {minutes}.',
  '{waiting} waiting, {failed} failed. In the last 24 hours {lately} failed.':
    'في الانتظار: {waiting}، والفاشلة: {failed}، منها في آخر 24 ساعة: {lately}.',
  'Check that a worker runs and keeps up: WORKER is not off, or `npm run worker` runs elsewhere.':
    'يُرجى التأكد من تشغيل worker يلاحق الأعمال: إما ألا تكون قيمة WORKER هي off، أو أن يعمل `npm run worker` في مكان آخر.',
  'Look at the failed jobs: put right what they say, then run them again.':
    'يُرجى النظر في الأعمال الفاشلة وإصلاح ما تذكره، ثم تشغيلها من جديد.',
  'Check that a worker runs, and look at the failed jobs.': 'يُرجى التأكد من تشغيل worker، والنظر في الأعمال الفاشلة.',
  '{count} steps, each done when it was due.': 'عدد الخطوات {count}، وأُنجزت كل منها في وقتها.',
  'The step {step} has not been done since {time}.': 'لم تُنجز الخطوة {step} منذ {time}.',
  'The step {step} fails since {time}: {why}.': 'تفشل الخطوة {step} منذ {time}: {why}.',
  'Check that a worker runs: WORKER is not off, or `npm run worker` runs elsewhere.':
    'يُرجى التأكد من تشغيل worker: إما ألا تكون قيمة WORKER هي off، أو أن يعمل `npm run worker` في مكان آخر.',
  'Put right what the message says. A step that failed is tried again within five minutes, and stops no other.':
    'يلزم إصلاح ما تذكره الرسالة. تُعاد الخطوة الفاشلة خلال خمس دقائق، ولا توقف غيرها.',
  'Check that a worker runs, and put right what its message says.':
    'يُرجى التأكد من تشغيل worker، وإصلاح ما تذكره رسالته.',
  'Changes are shown as they are committed.': 'تظهر التغييرات فور حفظها.',
  'No change of the last {seconds} seconds is shown. A transaction ({details}) is still open.':
    'لا تظهر التغييرات التي جرت في آخر {seconds}. ما زالت معاملة مفتوحة ({details}).',
  'No change of the last {seconds} seconds is shown. A prepared transaction ({details}) is still open.':
    'لا تظهر التغييرات التي جرت في آخر {seconds}. ما زالت معاملة مجهَّزة (prepared) مفتوحة ({details}).',
  'No change of the last {seconds} seconds is shown. What it waited for has just ended.':
    'لا تظهر التغييرات التي جرت في آخر {seconds}. انتهى للتو ما كانت تنتظره.',
  'See what it is doing, and end it if nobody needs it: {statement}':
    'يُرجى النظر فيما تفعله، وإنهاؤها إن لم يكن أحد بحاجة إليها: {statement}',
  'Find the transaction that is open, in pg_locks and pg_stat_activity, and end it.':
    'يُرجى البحث عن المعاملة المفتوحة في pg_locks وpg_stat_activity وإنهاؤها.',
  '{amount} Byte': '{amount} بايت',
  '{amount} Bytes': '{amount} بايت',
  '{amount} KB': '{amount} كيلوبايت',
  '{amount} MB': '{amount} ميغابايت',
  '{amount} GB': '{amount} غيغابايت',
  '{size} free.': 'المساحة المتاحة {size}.',
  'Only {size} free.': 'المساحة المتاحة {size} فقط.',
  'The bucket {bucket} can be written.': 'يمكن الكتابة في الحاوية {bucket}.',
  'Make room on the disk of DATA_DIR.': 'يلزم إفساح مساحة على قرص DATA_DIR.',
  'Check that the files folder in DATA_DIR, or the bucket of S3_URL, can be written and has room.':
    'يُرجى التأكد من إمكان الكتابة في المجلد files من DATA_DIR أو في الحاوية التي في S3_URL ومن وجود مساحة فيها.',
  'No answer within {seconds} seconds.': 'لا رد خلال {seconds}.',
  'It failed without a reason.': 'حدث فشل دون سبب معروف.',

  // A job that failed.
  '{what}.': '{what}.',
  '{what}: {why}.': '{what}: {why}.',
  'Not everyone could be notified': 'تعذّر إشعار الجميع',
  'A notification could not be mailed': 'تعذّر إرسال إشعار بالبريد',
  'A file could not be scanned': 'تعذّر فحص ملف',
  'The bytes of a deleted file could not be removed': 'تعذّرت إزالة محتوى ملف محذوف',
  'A job could not be done': 'تعذّر إنجاز عمل',
  'A deleted task list could not be removed for good': 'تعذّرت إزالة قائمة مهام محذوفة نهائيًّا',
  'A deleted folder could not be removed for good': 'تعذّرت إزالة مجلد محذوف نهائيًّا',
  'An event could not be copied to a connected calendar': 'تعذّر نسخ موعد إلى تقويم مربوط',
  'the connection was refused': 'رُفض الاتصال',
  'the connection was broken off': 'انقطع الاتصال',
  'the host could not be reached': 'تعذّر الوصول إلى المضيف',
  'the network could not be reached': 'تعذّر الوصول إلى الشبكة',
  'the name of the host could not be found': 'لم يُعثر على اسم المضيف',
  'the name of the host could not be looked up': 'تعذّر البحث عن اسم المضيف',
  'the disk is full': 'القرص ممتلئ',
  'the permission to read or write a file was missing': 'لا إذن بقراءة أحد الملفات أو الكتابة فيه',
  'the mail server refused the user name or password': 'رفض خادم البريد اسم المستخدم أو كلمة المرور',
  'the certificate of the server was not accepted': 'لم تُقبل شهادة الخادم',
  'there was no answer in time': 'لم يصل رد في الوقت المحدد',

  // The reason in an entry of the audit.
  'Permitted.': 'مسموح.',
  'A code or refresh token of the app was used twice: its access has ended.':
    'استُخدم رمز من رموز التطبيق مرتين، فانتهى وصوله.',
  'The app gave up its access.': 'تخلى التطبيق عن وصوله.',
  'Switched off by Diwan: every delivery failed for 5 days.': 'أوقفه ديوان: فشلت كل عمليات التسليم طوال 5 أيام.',
  'Switched off by Diwan: the receiver answered 410.': 'أوقفه ديوان: ردّ المستقبِل بالرمز 410.',
  sandbox: 'بيئة تجريبية',
  'Closed by Diwan for good: the sandbox was not used for {days} days.':
    'أغلقها ديوان نهائيًا: لم تُستخدم البيئة التجريبية {days}.',
  'Removed by Diwan: it was closed for {days} days.': 'أزالها ديوان: بقيت مغلقة {days}.',
} as const
