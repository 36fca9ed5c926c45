/** The groups and operations of the API, with what they take, in the order of the description. */
export const API_OPERATIONS: Record<string, string> = {
  Account: 'الحساب',
  'The API key in use, search across everything that it can see, and the feed of changes.':
    'مفتاح API المستخدَم، والبحث في كل ما يراه، وسجل التغييرات.',
  Events: 'المواعيد',
  'Calendar events that the creator of the key organizes or is invited to.':
    'مواعيد التقويم التي ينظّمها منشئ المفتاح أو يُدعى إليها.',
  Projects: 'المشاريع',
  'Projects, their archive, and the people who work on them.': 'المشاريع وأرشيفها والأشخاص الذين يعملون فيها.',
  'Task lists': 'قوائم المهام',
  'Lists that group the tasks of a project.': 'القوائم التي تجمع مهام المشروع.',
  Tasks: 'المهام',
  'Tasks: who does them, when they are due, and whether they are done.':
    'المهام: من المكلَّف بها، ومتى تُستحق، وهل أُنجزت.',
  Comments: 'التعليقات',
  'Comments on task lists and tasks, and replies to discussions.':
    'التعليقات على قوائم المهام وعلى المهام، والردود على النقاشات.',
  Discussions: 'النقاشات',
  'The discussions (majlis) of a project.': 'نقاشات المشروع.',
  'Files and folders': 'الملفات والمجلدات',
  'Uploaded files, links to files elsewhere, and the folders they are in.':
    'الملفات المرفوعة، وروابط الملفات المحفوظة في أماكن أخرى، والمجلدات التي تحتويها.',
  'Show the key, its company and its creator': 'عرض المفتاح وشركته ومنشئه',
  Done: 'تم',
  'Follow what changes in the company': 'متابعة ما يتغير في الشركة',
  'What was created, changed or deleted, in the order of commits. Nothing is left out; an entry may come twice. Only kinds that the key may read are included. Without `after` there are no entries, and `next_cursor` is the end of the feed. With `Accept: text/event-stream` the same entries are sent as they happen; `Last-Event-ID` outranks `after`. Entries are kept for 30 days.':
    'ما أُنشئ أو عُدّل أو حُذف، بترتيب حفظه. لا يسقط شيء، وقد يرد القيد مرتين. لا تظهر إلا الأنواع التي يُسمح للمفتاح بقراءتها. من دون `after` لا توجد قيود، وتكون قيمة `next_cursor` نهاية السجل. مع `Accept: text/event-stream` تُرسل القيود نفسها فور حدوثها، وتُقدَّم `Last-Event-ID` على `after`. تُحفظ القيود 30 يومًا.',
  'A cursor from an earlier answer; 410 if it is too old': 'مؤشر من إجابة سابقة؛ الرد 410 إذا كان قديمًا جدًّا',
  'Page size; clamped to 1..500': 'حجم الصفحة؛ يُضبط بين 1 و500',
  'Entries in this page': 'عدد القيود في هذه الصفحة',
  'Pass it as `after` next time': 'يُمرَّر في المرة القادمة بالاسم `after`',
  'True when there are more entries to read now': '`true` إذا بقيت قيود يمكن قراءتها الآن',
  'Search by name': 'البحث بالاسم',
  'Arabic spelling variants, case and accents do not matter. The words can come in any order, and each must occur in the name. If little is found, other forms of Arabic words are found too, and if nothing is, misspellings. Only kinds that the key may read are searched.':
    'لا أثر لاختلاف الإملاء العربي ولا لحالة الأحرف اللاتينية وعلاماتها. تُكتب الكلمات بأي ترتيب، ويجب أن ترد كل كلمة منها في الاسم. إذا قلّت النتائج شمل البحث صيغًا أخرى للكلمات العربية، وإن لم توجد نتيجة شمل ما كُتب بخطأ. لا يشمل البحث إلا الأنواع التي يُسمح للمفتاح بقراءتها.',
  'What to look for; a blank query finds nothing': 'ما يُبحث عنه؛ الاستعلام الفارغ لا يجد شيئًا',
  'For several kinds, repeat the parameter or separate them by commas; leave it out for all':
    'لعدة أنواع يُكرَّر المعامل أو يُفصل بينها بفواصل؛ وبدونه تُشمل الأنواع كلها',
  'Kinds that had more matches than were returned': 'الأنواع التي وُجدت فيها نتائج أكثر مما أُعيد',
  'List projects': 'عرض المشاريع',
  'Newest first. Archived projects are left out unless `include_archived` is true.':
    'الأحدث أولًا. لا تظهر المشاريع المؤرشفة إلا إذا كانت قيمة `include_archived` هي `true`.',
  'Create a project': 'إنشاء مشروع',
  'Default true': 'القيمة الافتراضية `true`',
  'Not before start_date': 'لا يسبق `start_date`',
  "The other system's id of the record, unique in the company; null for none":
    'معرّف السجل في النظام الآخر، ولا يتكرر في الشركة؛ `null` إن لم يوجد',
  'Merged key by key; null removes a key, or all of them':
    'يُدمج مفتاحًا مفتاحًا؛ القيمة `null` تحذف مفتاحًا، أو المفاتيح كلها',
  'A day of the Umm al-Qura calendar, instead of `from`': 'يوم من تقويم أم القرى بدلًا من `from`',
  'A day of the Umm al-Qura calendar, instead of `to`': 'يوم من تقويم أم القرى بدلًا من `to`',
  'A day of the Umm al-Qura calendar, instead of `due_from`': 'يوم من تقويم أم القرى بدلًا من `due_from`',
  'A day of the Umm al-Qura calendar, instead of `due_to`': 'يوم من تقويم أم القرى بدلًا من `due_to`',
  'A day of the Umm al-Qura calendar, instead of `updated_since`': 'يوم من تقويم أم القرى بدلًا من `updated_since`',
  'A day of the Umm al-Qura calendar, instead of `completed_since`': 'يوم من تقويم أم القرى بدلًا من `completed_since`',
  'A day of the Umm al-Qura calendar, instead of the Gregorian one': 'يوم من تقويم أم القرى بدلًا من التاريخ الميلادي',
  'Get a project': 'عرض مشروع',
  'Update a project': 'تعديل مشروع',
  'Only the fields sent change. A new name makes a new slug; the old one still resolves.':
    'لا تتغير إلا الحقول المرسلة. الاسم الجديد ينشئ اسمًا مختصرًا جديدًا، ويبقى القديم صالحًا للوصول إلى المشروع.',
  'Delete a project': 'حذف مشروع',
  'It disappears from every read at once. An administrator can restore it.':
    'يختفي فورًا من كل قراءة. يمكن لأحد مسؤولي الشركة استعادته.',
  'Create or update a project by its external id': 'إنشاء مشروع أو تعديله بمعرّفه الخارجي',
  'Changes the project with this external id, wherever it is, and never moves it. If there is none, it is created here (201), which needs the fields that creating needs.':
    'يعدّل المشروع الذي له هذا المعرّف الخارجي أينما كان، ولا ينقله أبدًا. إن لم يوجد، أُنشئ هنا (201)، ويلزم عندئذ إرسال الحقول اللازمة للإنشاء.',
  'Archive a project': 'أرشفة مشروع',
  'No body. Doing it again changes nothing.': 'بلا متن. التكرار لا يغيّر شيئًا.',
  'Unarchive a project': 'إخراج مشروع من الأرشيف',
  'List the people of a project': 'عرض الأشخاص في مشروع',
  'Everyone who can be assigned: all active people of the company for a public project, the active members of a private one. Not paginated.':
    'كل من يمكن تكليفه: جميع النشطين في الشركة إذا كان المشروع عامًّا، والأعضاء النشطون وحدهم إذا كان خاصًّا. بلا تقسيم إلى صفحات.',
  'List the task lists of a project': 'عرض قوائم المهام في مشروع',
  'Create a task list': 'إنشاء قائمة مهام',
  'Plain text': 'نص عادي',
  'Get a task list': 'عرض قائمة مهام',
  'Update a task list': 'تعديل قائمة مهام',
  'Delete a task list': 'حذف قائمة مهام',
  'Permanent, and deletes all its tasks. Needs the right `delete_any_task_or_list`, even for the list’s creator.':
    'حذف نهائي يشمل مهامها كلها. يتطلب الصلاحية `delete_any_task_or_list`، حتى من منشئ القائمة نفسه.',
  'Create or update a task list by its external id': 'إنشاء قائمة مهام أو تعديلها بمعرّفها الخارجي',
  'Changes the task list with this external id, wherever it is, and never moves it. If there is none, it is created here (201), which needs the fields that creating needs.':
    'يعدّل قائمة المهام التي لها هذا المعرّف الخارجي أينما كانت، ولا ينقلها أبدًا. إن لم توجد، أُنشئت هنا (201)، ويلزم عندئذ إرسال الحقول اللازمة للإنشاء.',
  'List the tasks of the company': 'عرض مهام الشركة',
  'Across all projects that are not archived. Filters narrow it together; one that cannot be read is 422. `meta.total` is exact up to 10,000, then `meta.total_is_lower_bound` is true. With a cursor it may be that of the first page.':
    'مهام جميع المشاريع غير المؤرشفة. تُطبَّق عوامل التصفية مجتمعة؛ ما تتعذر قراءته منها يُرد عليه بالرمز 422. العدد `meta.total` دقيق حتى 10,000، وبعد ذلك تكون قيمة `meta.total_is_lower_bound` هي `true`. ومع مؤشر قد يكون العدد هو عدد الصفحة الأولى.',
  'In any of these projects: refs or slugs': 'في أي من هذه المشاريع: معرّفات أو أسماء مختصرة',
  'Also tasks of archived projects; a project that is named is shown either way':
    'مهام المشاريع المؤرشفة أيضًا؛ المشروع المذكور بالاسم يظهر في الحالين',
  'List the tasks of a project': 'عرض مهام مشروع',
  'Of all its lists. Filters narrow it together; one that cannot be read is 422. `meta.total` is exact up to 10,000, then `meta.total_is_lower_bound` is true. With a cursor it may be that of the first page.':
    'مهام جميع قوائمه. تُطبَّق عوامل التصفية مجتمعة؛ ما تتعذر قراءته منها يُرد عليه بالرمز 422. العدد `meta.total` دقيق حتى 10,000، وبعد ذلك تكون قيمة `meta.total_is_lower_bound` هي `true`. ومع مؤشر قد يكون العدد هو عدد الصفحة الأولى.',
  'List the tasks of a task list': 'عرض مهام قائمة',
  'Create a task': 'إنشاء مهمة',
  'Create several tasks': 'إنشاء عدة مهام',
  'Creates all of the tasks, in the order given, or none of them. Each task counts as one call. Unknown fields inside a task are refused.':
    'تُنشأ المهام كلها بالترتيب المرسل، أو لا يُنشأ شيء منها. تُحسب كل مهمة استدعاءً واحدًا. الحقول غير المعروفة داخل المهمة مرفوضة.',
  'Get a task': 'عرض مهمة',
  'Update a task': 'تعديل مهمة',
  'Delete a task': 'حذف مهمة',
  'Permanent. Deleting a task that somebody else created needs the right `delete_any_task_or_list`.':
    'حذف نهائي. حذف مهمة أنشأها شخص آخر يتطلب الصلاحية `delete_any_task_or_list`.',
  'Create or update a task by its external id': 'إنشاء مهمة أو تعديلها بمعرّفها الخارجي',
  'Changes the task with this external id, wherever it is, and never moves it. If there is none, it is created here (201), which needs the fields that creating needs.':
    'يعدّل المهمة التي لها هذا المعرّف الخارجي أينما كانت، ولا ينقلها أبدًا. إن لم توجد، أُنشئت هنا (201)، ويلزم عندئذ إرسال الحقول اللازمة للإنشاء.',
  'The e-mail address of somebody who can be assigned in this project; null or "" for nobody':
    'عنوان البريد الإلكتروني لشخص يمكن تكليفه في هذا المشروع؛ `null` أو `""` لعدم تكليف أحد',
  'Complete a task': 'إكمال مهمة',
  'No body. Completing it again keeps the first `completed_at`.':
    'بلا متن. إكمالها مرة أخرى يُبقي `completed_at` الأول.',
  'Reopen a task': 'إعادة فتح مهمة',
  'Move a task to another list': 'نقل مهمة إلى قائمة أخرى',
  'The task keeps its ref, its comments and its time.': 'تحتفظ المهمة بمعرّفها وتعليقاتها ووقتها.',
  'Record the time spent on a task': 'تسجيل الوقت المستغرق في مهمة',
  'Replaces the total. `1:30`, `1.5` (hours) and `90` (minutes) mean the same; `""` or null clears it; zero is refused.':
    'يحل محل المجموع السابق. القيم `1:30` و`1.5` (ساعات) و`90` (دقائق) بمعنى واحد؛ `""` أو `null` يمسحه؛ والصفر مرفوض.',
  'Change several tasks': 'تعديل عدة مهام',
  'Makes all of the changes, in the order given, or none of them. Each change counts as one call. `update` takes the fields of a task, `move` takes `list_id`; other fields are refused.':
    'تُجرى التغييرات كلها بالترتيب المرسل، أو لا يُجرى شيء منها. يُحسب كل تغيير استدعاءً واحدًا. يأخذ `update` حقول المهمة، ويأخذ `move` الحقل `list_id`؛ وما سوى ذلك من الحقول مرفوض.',
  'The ref of any task of the company': 'معرّف أي مهمة في الشركة',
  'The ref of any list of the company, or the slug of one in the same project':
    'معرّف أي قائمة في الشركة، أو الاسم المختصر لقائمة في المشروع نفسه',
  'The task of each change, as it is after all of them': 'مهمة كل تغيير، كما هي بعد التغييرات كلها',
  'How many changes were made': 'عدد التغييرات التي أُجريت',
  'List the comments on a task list': 'عرض التعليقات على قائمة مهام',
  'Oldest first.': 'الأقدم أولًا.',
  'Comment on a task list': 'إضافة تعليق على قائمة مهام',
  'Get a comment on a task list': 'عرض تعليق على قائمة مهام',
  'Edit a comment on a task list': 'تعديل تعليق على قائمة مهام',
  'For the signature that wrote it. `attachments`, when sent, replaces all of them.':
    'لمن كُتب التعليق بتوقيعه. إذا أُرسل `attachments` حل محل المرفقات كلها.',
  'List the comments on a task': 'عرض التعليقات على مهمة',
  'Comment on a task': 'إضافة تعليق على مهمة',
  'Get a comment on a task': 'عرض تعليق على مهمة',
  'Edit a comment on a task': 'تعديل تعليق على مهمة',
  'List the comments on a discussion': 'عرض التعليقات على نقاش',
  'Reply to a discussion': 'الرد على نقاش',
  'Those who follow the discussion are notified; whoever replies follows it from then on.':
    'يُشعَر متابعو النقاش؛ ومن يرد عليه يتابعه منذ ذلك الحين.',
  'Get a comment on a discussion': 'عرض تعليق على نقاش',
  'Edit a comment on a discussion': 'تعديل تعليق على نقاش',
  'List the discussions of a project': 'عرض نقاشات مشروع',
  'Newest first.': 'الأحدث أولًا.',
  'Start a discussion': 'بدء نقاش',
  'Published at once: the people of the project are subscribed and notified, and the timeline has an entry. Whoever opens it follows it too.':
    'يُنشر فورًا: يُضاف الأشخاص في المشروع إلى متابعيه ويُشعَرون به، ويُسجَّل قيد في الخط الزمني. ومن يفتحه يتابعه أيضًا.',
  'Get a discussion': 'عرض نقاش',
  'Update a discussion': 'تعديل نقاش',
  'Delete a discussion': 'حذف نقاش',
  'Create or update a discussion by its external id': 'إنشاء نقاش أو تعديله بمعرّفه الخارجي',
  'Changes the discussion with this external id, wherever it is, and never moves it. If there is none, it is created here (201), which needs the fields that creating needs.':
    'يعدّل النقاش الذي له هذا المعرّف الخارجي أينما كان، ولا ينقله أبدًا. إن لم يوجد، أُنشئ هنا (201)، ويلزم عندئذ إرسال الحقول اللازمة للإنشاء.',
  'Browse the files and folders of one level': 'تصفح الملفات والمجلدات في مستوى واحد',
  'Not recursive. Files are paginated, folders are not; `folder` is null at the root.':
    'لا يشمل ما تحت المستوى. تُقسَّم الملفات إلى صفحات دون المجلدات؛ قيمة `folder` هي `null` في الجذر.',
  'Leave it out for the root': 'احذفه للمستوى الجذر',
  '`cursor` of the next page; null on the last one': 'قيمة `cursor` للصفحة التالية؛ `null` في الصفحة الأخيرة',
  'Upload a file': 'رفع ملف',
  'At most 5 MB. Send exactly one of `content` (plain-text names, names without an extension, and markdown for `.pdf`) and `content_base64`. The file is `pending` until the virus scan has cleared it.':
    'بحد أقصى 5 MB. يُرسَل واحد فقط من `content` (لأسماء النصوص العادية، والأسماء بلا امتداد، وMarkdown لاسم امتداده `.pdf`) و`content_base64`. تبقى حالة الملف `pending` إلى أن يجتاز فحص الفيروسات.',
  'With its extension': 'مع امتداده',
  'Null or omitted for the root': '`null` أو الحذف للمستوى الجذر',
  'UTF-8 text, for plain-text names; markdown for a `.pdf` name':
    'نص بترميز UTF-8 لأسماء النصوص العادية؛ وMarkdown لاسم امتداده `.pdf`',
  'Standard base64 without line breaks': 'ترميز `base64` القياسي بلا فواصل أسطر',
  'Add a link to a file elsewhere': 'إضافة رابط إلى ملف في مكان آخر',
  'http or https; stored, never fetched': 'رابط `http` أو `https`؛ يُحفظ ولا يُجلب محتواه أبدًا',
  'Get a file': 'عرض ملف',
  'Delete a file': 'حذف ملف',
  'Permanent. Deleting a file that somebody else uploaded needs the right `delete_any_file`.':
    'حذف نهائي. حذف ملف رفعه شخص آخر يتطلب الصلاحية `delete_any_file`.',
  'Download a file': 'تنزيل ملف',
  'The bytes as an attachment, or a part of them with `Range`; 416 when that begins after their end. A link redirects. 403 until the virus scan has cleared it.':
    'محتوى الملف كمرفق، أو جزء منه بالترويسة `Range`؛ الرد 416 إذا بدأ الجزء بعد نهاية الملف. الرابط يُحوَّل إلى وجهته. الرد 403 إلى أن يجتاز الملف فحص الفيروسات.',
  'The part to send, for example `bytes=0-1023`': 'الجزء المطلوب، مثل `bytes=0-1023`',
  'An ETag: the part is sent only if the file is still the same; otherwise the whole file is sent':
    'قيمة `ETag`: لا يُرسل الجزء إلا إذا لم يتغير الملف، وإلا أُرسل الملف كاملًا',
  'The file': 'الملف',
  'The part that `Range` asked for': 'الجزء الذي طلبته `Range`',
  'The file is a link; `Location` is its target': 'الملف رابط، ووجهته في `Location`',
  'List the folders of one level': 'عرض المجلدات في مستوى واحد',
  'Create a folder': 'إنشاء مجلد',
  'Needs the right `manage_files`.': 'يتطلب الصلاحية `manage_files`.',
  'Unique within its parent': 'لا يتكرر داخل المجلد الأب',
  Created: 'أُنشئ',
  'Get a folder': 'عرض مجلد',
  'Rename, describe or move a folder': 'تسمية مجلد أو وصفه أو نقله',
  'Needs the right `manage_files`. A folder cannot be moved into itself or below itself.':
    'يتطلب الصلاحية `manage_files`. لا يُنقل المجلد إلى نفسه ولا إلى ما تحته.',
  'Delete a folder': 'حذف مجلد',
  'Permanent, and deletes every subfolder and file below it, whoever uploaded them. Needs the right `delete_any_file`.':
    'حذف نهائي يشمل كل مجلد فرعي وكل ملف تحته أيًّا كان من رفعه. يتطلب الصلاحية `delete_any_file`.',
  'List events': 'عرض المواعيد',
  'Events that the creator of the key organizes or is invited to, ordered by start. Only from today onwards, unless `from`, `to` or `include_past` says otherwise.':
    'المواعيد التي ينظّمها منشئ المفتاح أو يُدعى إليها، مرتبة حسب البداية. ما يبدأ من اليوم فصاعدًا فقط، ما لم يُحدَّد غير ذلك في `from` أو `to` أو `include_past`.',
  'ISO 8601 date or time; lower bound on the start, included':
    'تاريخ أو وقت بصيغة ISO 8601؛ أول ما تُقبل به البداية، وهو مشمول',
  'ISO 8601 date or time; upper bound on the start, included':
    'تاريخ أو وقت بصيغة ISO 8601؛ آخر ما تُقبل به البداية، وهو مشمول',
  'Create an event': 'إنشاء موعد',
  'The creator of the key is the organizer. Attendees are notified, and the event is added to connected calendars.':
    'منشئ المفتاح هو المنظِّم. يُشعَر المدعوون، ويُضاف الموعد إلى التقاويم المربوطة.',
  'ISO 8601; without an offset in the company zone': 'بصيغة ISO 8601؛ وبلا فارق زمني يُفهم بتوقيت الشركة',
  'Not before starts_at; of an all-day event the last day': 'لا يسبق `starts_at`؛ وفي موعد طوال اليوم هو اليوم الأخير',
  'E-mail addresses of people in the company; replaces the whole list':
    'عناوين البريد الإلكتروني لأشخاص في الشركة؛ تحل محل القائمة كلها',
  'Get an event': 'عرض موعد',
  'Update an event': 'تعديل موعد',
  'Only the organizer can do it. `attendee_emails`, if sent, replaces the whole list. Everyone who is added, removed or affected is notified.':
    'لا يفعله إلا المنظِّم. إذا أُرسل `attendee_emails` حل محل القائمة كلها. يُشعَر كل من أُضيف أو أُزيل أو يعنيه التعديل.',
  'Delete an event': 'حذف موعد',
  'Permanent; only the organizer can do it. Attendees are notified, and the event is removed from connected calendars.':
    'حذف نهائي، ولا يفعله إلا المنظِّم. يُشعَر المدعوون، ويُزال الموعد من التقاويم المربوطة.',
  'A project was changed': 'تغيّر مشروع',
  'Sent to the webhooks of the company that ask for this kind, signed by the rules of Standard Webhooks.':
    'يُرسل إلى خطافات الويب في الشركة التي تطلب هذا النوع، موقَّعًا وفق قواعد Standard Webhooks.',
  'The same for every attempt: recognizes a message that comes twice':
    'لا يختلف بين محاولة وأخرى: به تُعرف الرسالة التي تصل مرتين',
  'The time of the attempt, in seconds since 1970': 'وقت المحاولة، بالثواني منذ سنة 1970',
  '`v1,` and the HMAC-SHA-256 of id, timestamp and body; several, separated by spaces, after a rotation':
    'البادئة `v1,` ثم HMAC-SHA-256 للمعرّف والوقت والمتن؛ وبعد التجديد عدة توقيعات تفصل بينها مسافات',
  'The ref of the record, or its number where it has none': 'معرّف السجل، أو رقمه إن لم يكن له معرّف',
  'When it changed': 'متى تغيّر',
  'The `prj-` ref': 'المعرّف الذي يبدأ بـ`prj-`',
  'What the record is in or on': 'ما يوجد السجل فيه أو عليه',
  'What `parent_id` names: `task_list`, `task`, `discussion` or `folder`':
    'ما يدل عليه `parent_id`: إحدى القيم `task_list` و`task` و`discussion` و`folder`',
  'Who made the change; null if the service did': 'من أجرى التغيير؛ `null` إذا أجرته الخدمة',
  'The fields that an update changed': 'الحقول التي غيّرها التعديل',
  'The record as it was when the message was sent; null when it has been deleted or is larger than 16 kB':
    'السجل كما كان عند إرسال الرسالة؛ `null` إذا حُذف أو زاد حجمه على 16 kB',
  'Taken. After any other answer the message is sent again.': 'استُلمت. بعد أي إجابة أخرى تُرسل الرسالة من جديد.',
  'A task list was changed': 'تغيّرت قائمة مهام',
  'A task was changed': 'تغيّرت مهمة',
  'A comment was changed': 'تغيّر تعليق',
  'A discussion was changed': 'تغيّر نقاش',
  'A folder was changed': 'تغيّر مجلد',
  'A file was changed': 'تغيّر ملف',
  'A test that somebody sent from the console': 'رسالة اختبار أُرسلت من لوحة التحكم',
}
